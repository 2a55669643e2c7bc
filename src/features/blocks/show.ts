import type { Scope } from '#platform/scope.ts'
import type { BlockRow } from './block-store.ts'
import type { Decision, NeverBlock, SecurityBlock } from './contract.ts'
import type { DecisionRow } from './detection/decision-store.ts'
import type { NeverBlockRow } from './never-block-store.ts'

const stateOf = ({ lifted_at, expires_at }: BlockRow, now: number): SecurityBlock['state'] => {
  if (lifted_at !== null) return 'lifted'
  return expires_at !== null && expires_at <= now ? 'expired' : 'active'
}

export const showBlock = (row: BlockRow, { now }: Pick<Scope, 'now'>): SecurityBlock => ({
  id: row.id,
  address: row.address,
  siteSlug: row.site_slug,
  note: row.note,
  source: row.source,
  reason: row.reason,
  state: stateOf(row, now()),
  createdAt: row.created_at,
  createdBy: row.created_by,
  expiresAt: row.expires_at,
  liftedAt: row.lifted_at,
  liftedBy: row.lifted_by,
})

export const showNeverBlock = (row: NeverBlockRow): NeverBlock => ({
  id: row.id,
  address: row.address,
  note: row.note,
  createdAt: row.created_at,
  createdBy: row.created_by,
})

export const showDecision = (row: DecisionRow): Decision => ({
  id: row.id,
  at: row.at,
  address: row.address,
  reason: row.reason,
  outcome: row.outcome,
  why: row.why,
  count: row.count,
  windowMinutes: row.window_minutes,
  sites: JSON.parse(row.sites),
  serverId: row.server_id,
  blockId: row.block_id,
  requests: JSON.parse(row.requests),
})
