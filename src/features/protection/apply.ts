import { EdgeRefused } from '#drivers/nginx/errors.ts'
import { applyServerEdge } from '#features/edge/index.ts'
import { listServers } from '#features/servers/index.ts'
import { listSites } from '#features/sites/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { describeFailure } from '#platform/jobs/failure.ts'
import type { Scope } from '#platform/scope.ts'
import { readFleet } from './in-force.ts'
import { writeSwitches } from './inside/site-part.ts'
import { resolve } from './levels/resolve.ts'
import {
  listProtections,
  restoreProtection,
  type SiteProtection,
  saveProtection,
  saveSync,
} from './protection-store.ts'

/** The edge of a server, and what its sites read, are as the rows say. */
const applyOn = async (scope: Scope, serverId: number, slugs?: readonly string[]): Promise<void> => {
  const sites = (await listSites(scope.db, { serverId })).filter(
    ({ slug, status }) => (status === 'running' || status === 'stopped') && (slugs?.includes(slug) ?? true),
  )
  const fleet = await readFleet(scope)
  const protections = await listProtections(
    scope.db,
    sites.map(({ slug }) => slug),
  )
  await applyServerEdge(scope, serverId)
  for (const [slug, chosen] of protections)
    await writeSwitches(scope.hosts.get(serverId), slug, resolve(chosen, fleet).rows)
  await saveSync(scope.db, serverId, { synced_at: scope.now(), problem: null })
}

/** On every server that is set up, all at once. One that fails says why in the overview. */
export const syncServers = async (scope: Scope): Promise<number[]> => {
  const ready = (await listServers(scope.db)).filter(({ status }) => status === 'ready')
  await Promise.all(
    ready.map(({ id }) =>
      applyOn(scope, id).catch(async (error: unknown) => {
        scope.log.warn({ serverId: id, err: error }, 'the protection of sites could not be applied')
        await saveSync(scope.db, id, { problem: describeFailure(error).message })
      }),
    ),
  )
  return ready.map(({ id }) => id)
}

/** Saves how a site is protected and makes it so. When that fails, all is as it was. */
export const changeProtection = async (
  scope: Scope,
  site: { slug: string; server_id: number; status: string },
  before: SiteProtection,
  after: SiteProtection,
): Promise<void> => {
  // Unlike any other time of a change, so that no one else's is taken back.
  const changedAt = Math.max(scope.now(), (before.changedAt ?? 0) + 1)
  await saveProtection(scope.db, site.slug, after, changedAt)
  if (site.status !== 'running' && site.status !== 'stopped') return
  try {
    await applyOn(scope, site.server_id, [site.slug])
  } catch (error) {
    await restoreProtection(scope.db, site.slug, before, changedAt)
    throw error instanceof EdgeRefused ? refusal(error) : error
  }
}

const refusal = (error: EdgeRefused): Problem =>
  new Problem('validation_error', 'nginx refused these rules, so nothing was changed. Check the patterns.', null, {
    cause: error,
    ...(error.output !== null && error.output !== undefined && { output: error.output }),
  })
