import { z } from 'zod'
import { ask, type SiteFolder } from '#features/sites/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { FileEntry } from './contract.ts'

const MOST_MATCHES = 500
const SEARCH_MS = 20_000
const LIMIT_MS = SEARCH_MS + 10_000

interface Asked {
  readonly path: string
  readonly q: string
  readonly mode: 'name' | 'content'
  readonly case?: boolean | undefined
  readonly regex?: boolean | undefined
  readonly include?: string | undefined
}

const Found = z.object({
  matches: z.array(
    z.object({
      path: z.string(),
      kind: FileEntry.shape.kind,
      line: z.number().nullable().prefault(null),
      text: z.string().nullable().prefault(null),
    }),
  ),
  truncated: z.boolean(),
  timedOut: z.boolean(),
})

/** By ripgrep inside the site, so that no pattern can hold the panel. */
export const searchFiles = async (folder: SiteFolder, { path, q, mode, ...options }: Asked) => {
  if (q === '')
    throw new Problem('validation_error', 'Say what to search for.', [{ in: 'query', path: 'q', message: 'is empty' }])
  const search = {
    query: q,
    inContent: mode === 'content',
    matchCase: options.case === true,
    isRegex: options.regex === true,
    include: options.include ?? '',
    maxMatches: MOST_MATCHES,
    timeoutMs: SEARCH_MS,
  }
  return { mode, path, ...(await ask(folder, { op: 'search', path, search }, Found, { timeoutMs: LIMIT_MS })) }
}
