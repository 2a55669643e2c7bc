import type { Database } from '#platform/db/database.ts'
import type { ContainerUse, Sample } from './read-sample.ts'
import { sitesOf } from './sites-of.ts'

/** The latest this panel knows of a server. */
export interface ServerState {
  /** Null until it was asked for the first time. */
  reachable: boolean | null
  /** When it last answered, and what. */
  at: number | null
  sample: Sample | null
  /** By slug, measured now and then. */
  siteDiskBytes: Map<string, number>
}

const byPanel = new WeakMap<Database, Map<number, ServerState>>()

/** By server, one set for each panel of this process: the sampler writes it, the overview reads it. */
export const latestOf = (database: Database): Map<number, ServerState> => {
  const states = byPanel.get(database) ?? new Map<number, ServerState>()
  byPanel.set(database, states)
  return states
}

/** The sites of a server as they were last seen; undefined before it was asked. */
export const latestSites = (
  { database }: { database: Database },
  serverId: number,
): ReadonlyMap<string, ContainerUse> | undefined => {
  const sample = latestOf(database).get(serverId)?.sample
  return sample ? sitesOf(sample.containers) : undefined
}
