import type { SiteEdgePart } from './hooks.ts'

/** What all features add to how the edge serves a site. What two of them set would depend on their order. */
export const mergeEdgeParts = (parts: readonly SiteEdgePart[]): SiteEdgePart => {
  const limits = parts.flatMap(part => part.bodyLimitBytes ?? [])
  const headers = parts.flatMap(part => Object.entries(part.headers ?? {}))
  const names = headers.map(([name]) => name.toLowerCase())
  const twice = names.find((name, at) => names.indexOf(name) !== at) ?? (limits.length > 1 ? 'body limit' : undefined)
  if (twice !== undefined) throw new Error(`two features set the ${twice} of a site at the edge`)
  const [bodyLimitBytes] = limits
  const blocked = parts.flatMap(part => part.blocked ?? [])
  const guards = parts.flatMap(part => part.guard ?? [])
  const guard = { rules: guards.flatMap(({ rules }) => rules), limits: guards.flatMap(({ limits }) => limits) }
  return {
    headers: Object.fromEntries(headers),
    ...(bodyLimitBytes !== undefined && { bodyLimitBytes }),
    ...(blocked.length > 0 && { blocked }),
    ...(guards.length > 0 && { guard }),
  }
}
