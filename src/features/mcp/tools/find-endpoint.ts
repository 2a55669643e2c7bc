import type { ServedEndpoint } from '#platform/contract/endpoint.ts'
import { Problem } from '#platform/contract/problem.ts'
import { type Reach, reachOf } from '#platform/contract/reach.ts'

/** The tool that calls endpoints of each kind. */
export const TOOL_FOR: Record<Reach, string> = {
  read: 'read',
  change: 'call',
  destroy: 'dangerous_call',
  files: 'read_file or write_file',
}

/** An endpoint by its operation id, as long as AI connections may know of it. */
export const getEndpoint = (endpoints: readonly ServedEndpoint[], id: string): ServedEndpoint => {
  const found = endpoints.find(one => one.id === id && reachOf(one.endpoint) !== undefined)
  if (found) return found
  throw new Problem('not_found', `There is no endpoint ${id} for AI connections. Use find_endpoints to search for one.`)
}

const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')

/** `sites` finds `site`, `deleting` finds `delete`. */
const stem = (word: string): string => word.replace(/(?:ing|ed|es|s|e)$/, '')

const scoreOf = (wanted: readonly string[], { id, group = '', endpoint }: ServedEndpoint): number => {
  const inName = new Set(wordsOf(`${id} ${endpoint.path}`).map(stem))
  const inText = new Set(wordsOf(`${endpoint.summary} ${group}`).map(stem))
  return wanted.reduce((sum, word) => sum + (inName.has(word) ? 3 : 0) + (inText.has(word) ? 2 : 0), 0)
}

/** The endpoints that fit the words best, best first. */
export const searchEndpoints = (
  endpoints: readonly ServedEndpoint[],
  words: string,
  limit: number,
): ServedEndpoint[] => {
  const wanted = [...new Set(wordsOf(words).map(stem))].filter(word => word !== '')
  return endpoints
    .filter(({ endpoint }) => reachOf(endpoint) !== undefined)
    .map(one => ({ one, score: scoreOf(wanted, one) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.one.endpoint.path.length - b.one.endpoint.path.length)
    .slice(0, limit)
    .map(({ one }) => one)
}
