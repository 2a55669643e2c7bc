import { ensureSiteSocket } from '#features/stack/index.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import { swapOut } from '../folder/next-folder.ts'
import { removeSiteContainer } from '../run-site.ts'
import { removeFiles } from '../site-files.ts'
import { isMarkedBy, makeSiteFolder, markFolder, unmarkFolder } from '../site-folder.ts'
import type { SiteRow } from '../site-store.ts'
import type { Missing } from './missing.ts'

/** What a backup needs to be restored to a server that lost the site. Files come all at once, when they are complete. */
export const bringBack = async (work: StepScope, site: SiteRow, missing: Missing): Promise<void> => {
  const host = work.hosts.get(site.server_id)
  if (missing !== 'database') {
    // It may still run without its files.
    await removeSiteContainer(work, site)
    await makeSiteFolder(host, site.slug)
    await markFolder(host, site.slug, work.jobId)
  }
  await ensureSiteSocket(host, site.slug, work.signal)
}

/** The files that were restored are no longer the site's. */
export const takeBack = async ({ hosts, jobId }: StepScope, site: SiteRow): Promise<void> => {
  const host = hosts.get(site.server_id)
  if (await isMarkedBy(host, site.slug, jobId)) await swapOut(host, site)
}

/** Removes what this job has created, and nothing else. */
export const undoBringBack = async (work: StepScope, site: SiteRow): Promise<void> => {
  if (!(await isMarkedBy(work.hosts.get(site.server_id), site.slug, work.jobId))) return
  await removeSiteContainer(work, site)
  await removeFiles(work, site)
}

export const endBringBack = ({ hosts }: StepScope, { slug, server_id }: SiteRow): Promise<void> =>
  unmarkFolder(hosts.get(server_id), slug)
