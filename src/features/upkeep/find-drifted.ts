import type { SiteRow } from '#features/sites/index.ts'

const RUNS: ReadonlySet<string> = new Set(['running', 'restarting'])

/** Sites whose container, by its state, is not what their status says. States are by slug; absent means no container. */
export const findDrifted = (sites: readonly SiteRow[], states: ReadonlyMap<string, string>): SiteRow[] =>
  sites.filter(({ slug, status }) => {
    const state = states.get(slug) ?? 'absent'
    if (status === 'running') return !RUNS.has(state)
    return status === 'stopped' && (RUNS.has(state) || state === 'paused')
  })
