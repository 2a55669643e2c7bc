import type { Reply } from '#platform/contract/endpoint.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { RequestScope } from '#platform/http/handlers.ts'
import type { Attention, panel } from './contract.ts'
import { deleteSnooze, readSnoozes, type SnoozeRow, saveSnooze } from './snooze-store.ts'

type Overview = Reply<(typeof panel)['overview']>

const SEVERITY: readonly Attention['severity'][] = ['critical', 'warning', 'info']
const HOUR_MS = 3_600_000

const rank = ({ severity }: Pick<Attention, 'severity'>) => SEVERITY.indexOf(severity)

const adminOf = ({ actor }: RequestScope): string | undefined => (actor.kind === 'person' ? actor.id : undefined)

/** Endpoints that need a person are marked `personOnly`, so a key never gets here. */
const requireAdmin = (scope: RequestScope): string => {
  const id = adminOf(scope)
  if (id === undefined) throw new Problem('unauthorized', 'Sign in again.')
  return id
}

const collect = async (scope: RequestScope): Promise<Pick<Overview, 'counts' | 'attention'>> => {
  const parts = await scope.events.raise(scope, 'overview', {})
  return {
    counts: Object.assign({}, ...parts.map(part => part.counts)) as Record<string, number>,
    attention: parts.flatMap(part => part.attention).toSorted((a, b) => rank(a) - rank(b)),
  }
}

/** A snooze covers an item as it was: once it is worse, it is shown again. */
const covers = (row: SnoozeRow | undefined, item: Attention): row is SnoozeRow =>
  row !== undefined && rank(item) >= rank(row)

/** What needs attention, most important first; what the caller has snoozed stands apart. */
export const showOverview = async (scope: RequestScope): Promise<Overview> => {
  const { counts, attention } = await collect(scope)
  const adminId = adminOf(scope)
  const snoozes = adminId === undefined ? new Map() : await readSnoozes(scope.db, adminId, scope.now())
  const overview: Overview = { counts, attention: [], snoozed: [] }
  for (const item of attention) {
    const row = snoozes.get(item.id)
    if (covers(row, item)) overview.snoozed.push({ ...item, until: row.until })
    else overview.attention.push(item)
  }
  return overview
}

export const snoozeAttention = async (scope: RequestScope, id: string, hours: number): Promise<number> => {
  const adminId = requireAdmin(scope)
  const item = (await collect(scope)).attention.find(candidate => candidate.id === id)
  if (!item) throw new Problem('not_found', 'This item no longer needs attention.')
  const until = scope.now() + hours * HOUR_MS
  await saveSnooze(scope.db, { admin_id: adminId, attention_id: id, severity: item.severity, until })
  return until
}

export const unsnoozeAttention = async (scope: RequestScope, id: string): Promise<void> => {
  if (!(await deleteSnooze(scope.db, requireAdmin(scope), id)))
    throw new Problem('not_found', 'This item is not snoozed.')
}
