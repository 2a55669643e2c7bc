import { setImmediate as nextTurn } from 'node:timers/promises'
import { EDGE_FOLDER, EDGE_LOG } from '#features/edge/index.ts'
import type { SiteRow } from '#features/sites/index.ts'
import { readLog } from '#platform/host/read-log.ts'
import type { Scope } from '#platform/scope.ts'
import type { DryRun } from '../contract.ts'
import { deciderOf, type LoggedVisit, type TriedRule, visitIn } from './try-rules.ts'

const DAY_MS = 86_400_000
const BYTES_AT_ONCE = 4 * 1024 ** 2
/** The oldest files come first, so all of them are read as far as the edge keeps them. */
const MOST_READINGS = 40
const MOST_MS = 15_000
const TURN_MS = 10

/** What the rules would have done to the requests of the last day. Changes nothing. */
export const dryRun = async (
  scope: Pick<Scope, 'hosts' | 'now'>,
  site: Pick<SiteRow, 'slug' | 'server_id' | 'created_at'>,
  rules: readonly TriedRule[],
  folder = `${EDGE_FOLDER}/logs`,
): Promise<DryRun> => {
  const tally = tallyFor(rules)
  const since = Math.max(scope.now() - DAY_MS, site.created_at)
  const deadline = performance.now() + MOST_MS
  let positions = {}
  let isComplete = false
  for (let readings = 0; readings < MOST_READINGS && !isComplete && performance.now() < deadline; readings++) {
    const options = { folder, name: EDGE_LOG, mostBytes: BYTES_AT_ONCE }
    const reading = await readLog(scope.hosts.get(site.server_id), positions, options)
    await tryLines(reading.lines, visit => visit.site === site.slug && visit.at >= since && tally.add(visit))
    positions = reading.positions
    isComplete = !reading.isPart
  }
  const isLogged = rules.every(({ conditions }) =>
    conditions.every(({ field }) => field !== 'header' && field !== 'cookie'),
  )
  return { ...tally.counts, since, isComplete, isLogged }
}

const tallyFor = (rules: readonly TriedRule[]) => {
  const decide = deciderOf(rules)
  const counts = { requests: 0, refused: 0, allowed: 0, rules: rules.map(() => 0) }
  return {
    counts,
    add: (visit: LoggedVisit) => {
      counts.requests += 1
      const index = decide(visit)
      const rule = rules[index]
      if (!rule) return
      counts.rules[index] = (counts.rules[index] ?? 0) + 1
      counts[rule.action === 'block' ? 'refused' : 'allowed'] += 1
    },
  }
}

/** Other requests to the panel are answered in between. */
const tryLines = async (lines: readonly string[], use: (visit: LoggedVisit) => unknown): Promise<void> => {
  let turnEnds = performance.now() + TURN_MS
  for (const line of lines) {
    if (performance.now() > turnEnds) {
      await nextTurn()
      turnEnds = performance.now() + TURN_MS
    }
    const visit = visitIn(line)
    if (visit) use(visit)
  }
}
