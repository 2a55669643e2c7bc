import { readFileSync } from 'node:fs'
import type { Endpoint } from '#platform/contract/endpoint.ts'

/** One line of a table: who may reach an endpoint, and how. */
export interface AccessRow {
  group: string
  method: string
  path: string
  level: string
  raised: string
  job: string
  destructive: string
  mcp: string
}

export const COLUMNS = ['group', 'method', 'path', 'level', 'raised', 'job', 'destructive', 'mcp'] as const

/** What the spec says. */
export const SPEC_TABLE = 'test/access-table.tsv'
/** The same for endpoints that the spec does not have. */
export const OWN_TABLE = 'test/access-table-own.tsv'

export const readAccessTable = (file: string): AccessRow[] => {
  const [header, ...lines] = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  if (header !== COLUMNS.join('\t')) throw new Error(`${file} has other columns than the test`)
  return lines.map(line => {
    const cells = line.split('\t')
    if (cells.length !== COLUMNS.length) throw new Error(`${file}: not ${COLUMNS.length} cells: ${line}`)
    return Object.fromEntries(COLUMNS.map((name, at) => [name, cells[at]])) as unknown as AccessRow
  })
}

/** What a contract says, in the words of the table. */
export const rowOf = (group: string | undefined, endpoint: Endpoint): AccessRow => ({
  group: group ?? '',
  method: endpoint.method,
  path: endpoint.path,
  level: endpoint.level,
  raised: endpoint.raised ? `${endpoint.raised.level} ${endpoint.raised.when}` : '',
  job: endpoint.job && endpoint.job !== 'sometimes' ? 'job' : '',
  destructive: endpoint.destructive ? 'destructive' : '',
  mcp: endpoint.mcp ?? 'yes',
})
