import { getServer } from '#features/servers/index.ts'
import type { Job } from '#platform/contract/job.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { siteToChange } from '../site-to-change.ts'
import { findCopy, isParked } from './copy-store.ts'
import { siteMove } from './site.move.ts'
import { siteMoveFinalize } from './site.move-finalize.ts'
import { forwardAddress } from './sites-served.ts'

export const startMove = async (scope: Scope, slug: string, targetServerId: number): Promise<Job> => {
  const site = await siteToChange(scope, slug)
  const target = await getServer(scope.db, targetServerId)
  if (target.id === site.server_id) throw new Problem('conflict', `${slug} is already on ${target.name}.`)
  if (target.provisioned_at === null)
    throw new Problem('conflict', `${target.name} is not set up yet. Set it up first.`)
  const copy = await findCopy(scope.db, slug)
  if (copy)
    throw isParked(copy)
      ? new Problem('conflict', `${slug} has an unfinished move. Finish it first.`)
      : interruptedMove(slug)
  if ((await forwardAddress(scope, target.id)) === undefined)
    throw new Problem('conflict', `The public address of ${target.name} is unknown. Set its publicIp first.`)
  return scope.jobs.enqueue(siteMove, { slug, serverId: site.server_id, otherServerId: targetServerId })
}

/** A move that runs holds the site, so anyone who comes here has found one that has no job any more. */
const interruptedMove = (slug: string): Problem =>
  new Problem(
    'conflict',
    `The last move of ${slug} was interrupted. Reconcile the site to complete it or roll it back.`,
  )

export const startFinalize = async (scope: Scope, slug: string): Promise<Job> => {
  await siteToChange(scope, slug)
  const copy = await findCopy(scope.db, slug)
  if (copy && !isParked(copy)) throw interruptedMove(slug)
  if (!copy) throw new Problem('conflict', `${slug} has no copy on another server.`)
  return scope.jobs.enqueue(siteMoveFinalize, { slug, serverId: copy.server_id })
}
