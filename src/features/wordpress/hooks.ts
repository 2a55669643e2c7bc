import type { SiteRow } from '#features/sites/index.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'

declare module '#platform/events/events.ts' {
  interface Hooks {
    /** Plugins of the catalog are new on a site: features set them up. It may be raised again after a crash. */
    catalogInstalled: { payload: { site: SiteRow; slugs: readonly string[] }; answer: void; scope: StepScope }
    /** WordPress could not send an email just now: what was said about it? */
    mailRefusal: { payload: { site: SiteRow; since: number }; answer: string | undefined }
  }
}
