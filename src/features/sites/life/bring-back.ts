import { Problem } from '#platform/contract/problem.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import { ensureSiteRuns } from '../run-site.ts'
import { serveSites } from '../serve-site.ts'
import { ensureSiteDatabase } from '../site-database.ts'
import { hasFolder, makeEmptyFolder } from '../site-files.ts'
import type { SiteRow } from '../site-store.ts'

/** What is gone is not created again without being asked for: its disk may only be missing for now. */
export const requireFolder = async (work: Pick<StepScope, 'hosts'>, site: SiteRow): Promise<void> => {
  if (await hasFolder(work, site)) return
  throw new Problem('conflict', `The files of ${site.slug} are no longer on its server. Restore a backup of it.`)
}

/** An empty site in the place of one that is gone, for a backup to be restored to. */
export const bringBack = async (work: StepScope, site: SiteRow): Promise<void> => {
  await makeEmptyFolder(work, site)
  await ensureSiteDatabase(work, site)
  await ensureSiteRuns(work, site)
  await serveSites(work, site.server_id)
}
