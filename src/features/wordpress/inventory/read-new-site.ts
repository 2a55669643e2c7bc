import type { SiteRow } from '#features/sites/index.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import { syncSite } from './sync-site.ts'

/** A new site is known at once. Its creation does not depend on it: the next scan reads what is missing. */
export const readNewSite = async (context: StepScope, { site }: { site: SiteRow }): Promise<void> => {
  try {
    await syncSite(context, site)
  } catch (error) {
    context.signal.throwIfAborted()
    context.log.warn({ err: error, site: site.slug }, 'a new site could not be read')
  }
}
