import { readFileSync, writeFileSync } from 'node:fs'
import { features } from '#app/features.ts'
import { readRepository } from '../architecture/repository.ts'
import type { SourceFiles } from '../architecture/rule.ts'

const START = '<!-- The table is checked by test/hooks.test.ts. -->\n'

interface Hook {
  readonly name: string
  readonly purpose: string
  readonly raisedBy: string
  readonly answeredBy: string
}

/** A comment, then the name of a hook, as they stand in an interface `Hooks`. */
const MEMBER = /\/\*\* ([^*]+) \*\/\s+(\w+): (?:InStep<)?\{/g
const RAISED = /events\.(?:raise|ask)\(\s*\w+,\s*'(\w+)'/g

const featureOf = (path: string): string => /^src\/features\/([^/]+)\//.exec(path)?.[1] ?? path

const listOf = (names: readonly string[]): string => [...new Set(names)].toSorted().join(', ') || 'none yet'

/** Every hook of the product, read from the sources and the manifests. */
export const listHooks = (files: SourceFiles): Hook[] => {
  const product = [...files].filter(([path]) => path.startsWith('src/') && !path.endsWith('.test.ts'))
  const declared = product
    .filter(([path]) => path.endsWith('/hooks.ts') || path === 'src/platform/events/events.ts')
    .flatMap(([, text]) => [...text.slice(text.indexOf('interface Hooks')).matchAll(MEMBER)])
  const raised = product.flatMap(([path, text]) =>
    [...text.matchAll(RAISED)].map(([, name]) => ({ name, feature: featureOf(path) })),
  )
  return declared.map(([, purpose = '', name = '']) => ({
    name,
    purpose,
    raisedBy: listOf(raised.filter(one => one.name === name).map(one => one.feature)),
    answeredBy: listOf(features.filter(({ hooks }) => name in (hooks ?? {})).map(feature => feature.name)),
  }))
}

const rowOf = ({ name, purpose, raisedBy, answeredBy }: Hook): string =>
  `| \`${name}\` | ${purpose} | ${raisedBy} | ${answeredBy} |`

export const hooksTable = (files: SourceFiles): string =>
  [
    '| Hook | What it is for | Raised by | Answered by |',
    '|---|---|---|---|',
    ...listHooks(files)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(rowOf),
    '',
  ].join('\n')

export const tableIn = (page: string): string => page.slice(page.indexOf(START) + START.length)

if (import.meta.main) {
  const page = new URL('../../docs/hooks.md', import.meta.url)
  const text = readFileSync(page, 'utf8')
  writeFileSync(page, text.slice(0, text.indexOf(START)) + START + hooksTable(readRepository()))
}
