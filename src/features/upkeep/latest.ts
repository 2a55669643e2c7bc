import type { SiteRow } from '#features/sites/index.ts'
import type { Database } from '#platform/db/database.ts'
import type { Scope } from '#platform/scope.ts'
import type { Leftover } from './contract.ts'

/** What this panel last found on a server that differs from what should be there. */
export interface Upkeep {
  checkedAt: number | null
  leftovers: readonly Leftover[]
  /** Why the edge could not be brought to what it should serve. */
  edgeProblem: string | null
  /** Whether the edge served something else at the last look. */
  isEdgeOutdated: boolean
  /** Sites whose container was not what their status says at the last look. */
  drifted: readonly Pick<SiteRow, 'slug' | 'title' | 'status'>[]
  /** By slug: when a site was last reconciled because it was not what it should be. */
  readonly repairedAt: Map<string, number>
}

const byPanel = new WeakMap<Database, Map<number, Upkeep>>()

/** By server, one set for each panel of this process. */
const latestOf = (database: Database): Map<number, Upkeep> => {
  const all = byPanel.get(database) ?? new Map<number, Upkeep>()
  byPanel.set(database, all)
  return all
}

const newUpkeep = (): Upkeep => ({
  checkedAt: null,
  leftovers: [],
  edgeProblem: null,
  isEdgeOutdated: false,
  drifted: [],
  repairedAt: new Map(),
})

type Work = Pick<Scope, 'database' | 'now'>

export const upkeepOf = ({ database }: Pick<Work, 'database'>, serverId: number): Upkeep => {
  const all = latestOf(database)
  const known = all.get(serverId)
  const upkeep = known ?? newUpkeep()
  all.set(serverId, upkeep)
  return upkeep
}

export const keepLeftovers = (scope: Work, serverId: number, leftovers: readonly Leftover[]): void => {
  Object.assign(upkeepOf(scope, serverId), { leftovers, checkedAt: scope.now() })
}

export const forgetUpkeep = ({ database }: Pick<Work, 'database'>, serverId: number): void => {
  latestOf(database).delete(serverId)
}
