import { listContainers } from '#drivers/docker/containers.ts'
import { applyServerEdge, isEdgeCurrent } from '#features/edge/index.ts'
import { changeServer, getServer } from '#features/servers/index.ts'
import { listSites, noteAllMissing, reconcileSite, type SiteRow } from '#features/sites/index.ts'
import { dockerOf, SITE_LABEL } from '#features/stack/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { HostError } from '#platform/host/errors.ts'
import { listActiveJobsOfServer } from '#platform/jobs/job-store.ts'
import type { Scope } from '#platform/scope.ts'
import { findDrifted } from './find-drifted.ts'
import { keepLeftovers, upkeepOf } from './latest.ts'
import { lookForLeftovers } from './look-for-leftovers.ts'

const LEFTOVERS_EVERY_MS = 10 * 60_000
/** A site that does not stay repaired needs a person. */
const REPAIR_AGAIN_MS = 15 * 60_000

/**
 * After every sample: the server is brought to what the panel says it is, as far as no job is at work there. What differs at
 * two looks in a row is repaired; at a single one it may just be changing.
 */
export const keepTrue = async (
  scope: Scope,
  { serverId, signal }: { serverId: number; signal: AbortSignal },
): Promise<void> => {
  if (await isBusy(scope, serverId)) return
  await repairEdge(scope, serverId)
  await repairSites(scope, serverId, signal)
  await forgetProblem(scope, serverId)
  const { checkedAt } = upkeepOf(scope, serverId)
  if (checkedAt === null || scope.now() - checkedAt >= LEFTOVERS_EVERY_MS)
    keepLeftovers(scope, serverId, await lookForLeftovers(scope, serverId, signal))
}

/** A job that runs changes rows and server one after the other; a move that waits may have left visitors waiting. */
const isBusy = async ({ db }: Scope, serverId: number): Promise<boolean> =>
  (await listActiveJobsOfServer(db, serverId)).some(
    ({ status, steps, lanes }) => status === 'running' || (steps !== '[]' && JSON.parse(lanes).length > 1),
  )

const repairEdge = async (scope: Scope, serverId: number): Promise<void> => {
  const upkeep = upkeepOf(scope, serverId)
  const wasOutdated = upkeep.isEdgeOutdated
  upkeep.isEdgeOutdated = !(await isEdgeCurrent(scope, serverId))
  if (!upkeep.isEdgeOutdated) upkeep.edgeProblem = null
  if (!(wasOutdated && upkeep.isEdgeOutdated)) return
  try {
    await applyServerEdge(scope, serverId)
    scope.log.info({ serverId }, 'the edge did not serve what it should; it does now')
    Object.assign(upkeep, { isEdgeOutdated: false, edgeProblem: null })
  } catch (error) {
    if (!(error instanceof HostError || error instanceof Problem)) throw error
    upkeep.edgeProblem = error.message
  }
}

/** What the last set-up complained about is over once everything runs. */
const forgetProblem = async (scope: Scope, serverId: number): Promise<void> => {
  const { problem, provisioned_at } = await getServer(scope.db, serverId)
  if (problem === null || provisioned_at === null) return
  const { docker, parts, firewall } = await scope.events.ask(scope, 'stackState', { host: scope.hosts.get(serverId) })
  if (docker !== null && firewall && parts.every(({ healthy }) => healthy))
    await changeServer(scope.db, serverId, { problem: null })
}

const repairSites = async (scope: Scope, serverId: number, signal: AbortSignal): Promise<void> => {
  const states = await readStates(scope, serverId, signal)
  const upkeep = upkeepOf(scope, serverId)
  const { repairedAt } = upkeep
  const before = new Set(upkeep.drifted.map(({ slug }) => slug))
  const sites = await listSites(scope.db, { serverId })
  const drifted = findDrifted(sites, states)
  upkeep.drifted = drifted
  const suspects = sites.filter(site => site.missing !== null || drifted.includes(site))
  const missing = suspects.length > 0 ? await noteAllMissing({ ...scope, signal }, serverId, suspects) : new Map()
  for (const site of drifted.filter(({ slug }) => before.has(slug) && !missing.has(slug))) {
    const isTriedAlready = scope.now() - (repairedAt.get(site.slug) ?? 0) < REPAIR_AGAIN_MS
    if (!isTriedAlready && (await startRepair(scope, site))) repairedAt.set(site.slug, scope.now())
  }
}

const startRepair = async (scope: Scope, site: SiteRow): Promise<boolean> => {
  const job = await reconcileSite(scope, site)
  if (job) scope.log.info({ site: site.slug, jobId: job.id }, 'a site was not what it should be and is reconciled')
  return job !== undefined
}

const readStates = async ({ hosts }: Scope, serverId: number, signal: AbortSignal): Promise<Map<string, string>> => {
  const containers = await listContainers(dockerOf(hosts.get(serverId)), {}, { signal })
  return new Map(containers.map(({ labels, state }) => [labels[SITE_LABEL] ?? '', state]))
}
