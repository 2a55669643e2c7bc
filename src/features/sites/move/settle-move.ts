import { findContainer } from '#drivers/docker/containers.ts'
import { dockerOf } from '#features/stack/index.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { siteName } from '../network.ts'
import { ensureSiteRuns } from '../run-site.ts'
import { serveSites } from '../serve-site.ts'
import type { SiteRow } from '../site-store.ts'
import { type CopyRow, changePlaces, copyOf, setStage } from './copy-store.ts'
import { endHold } from './hold.ts'
import { removeParked } from './remove-copy.ts'

/**
 * Ends a move that has no job any more, such as after a restore. Where the new server has taken over it stands; everywhere
 * else the site stays where it was, and the copy is removed.
 */
export const settleMove = async (context: StepContext, site: SiteRow, copy: CopyRow): Promise<void> => {
  if (await hasTakenOver(context, site, copyOf(site, copy))) {
    await changePlaces(context.db, site.slug, context.now())
    return context.say('The new server has already taken over. The move is recorded as done.')
  }
  if (site.status === 'running') await ensureSiteRuns(context, site)
  await setStage(context.db, site.slug, 'arrived')
  await serveSites(context, site.server_id)
  await endHold(context.hosts.get(site.server_id), site.slug)
  await removeParked(context, site.slug)
  context.say('The move was rolled back. The site stays on its server.')
}

/** Until the change-over the copy stands still, and only one of the two runs after it. */
const hasTakenOver = async ({ hosts }: StepContext, site: SiteRow, copy: SiteRow): Promise<boolean> => {
  const runs = async ({ server_id, slug }: SiteRow) =>
    (await findContainer(dockerOf(hosts.get(server_id)), siteName(slug)))?.state === 'running'
  return (await runs(copy)) && !(await runs(site))
}
