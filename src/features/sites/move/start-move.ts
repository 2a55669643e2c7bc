import { getServer } from '#features/servers/index.ts'
import type { Job } from '#platform/contract/job.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { siteMove } from '../jobs/site.move.ts'
import { siteMoveFinalize } from '../jobs/site.move-finalize.ts'
import { getSite } from '../site-store.ts'
import { findCopy, isParked } from './copy-store.ts'
import { forwardAddress } from './placements.ts'

export const startMove = async (scope: Scope, slug: string, targetServerId: number): Promise<Job> => {
  const site = await getSite(scope.db, slug)
  if (site.status !== 'running' && site.status !== 'stopped')
    throw new Problem('conflict', `${slug} is ${site.status}. Only sites that are running or stopped can move.`)
  const target = await getServer(scope.db, targetServerId)
  if (target.id === site.server_id) throw new Problem('conflict', `${slug} is on ${target.name} already.`)
  if (target.provisioned_at === null)
    throw new Problem('conflict', `${target.name} is not set up yet. Set it up first.`)
  const copy = await findCopy(scope.db, slug)
  if (copy && isParked(copy))
    throw new Problem('conflict', `${slug} has a move that is not finished. Finish that one first.`)
  if ((await forwardAddress(scope, target.id)) === undefined)
    throw new Problem('conflict', `Nobody knows the address of ${target.name}. Give it a publicIp first.`)
  return scope.jobs.enqueue(siteMove, { slug, serverId: site.server_id, otherServerId: targetServerId })
}

export const startFinalize = async (scope: Scope, slug: string): Promise<Job> => {
  await getSite(scope.db, slug)
  const copy = await findCopy(scope.db, slug)
  if (!copy || !isParked(copy)) throw new Problem('conflict', `${slug} has left nothing on another server.`)
  return scope.jobs.enqueue(siteMoveFinalize, { slug, serverId: copy.server_id })
}
