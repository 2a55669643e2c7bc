import type { SiteRow } from '#features/sites/index.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'

declare module '#platform/events/events.ts' {
  interface Hooks {
    /** Plugins of the catalog are new on a site: features set them up. It may be raised again after a crash. */
    catalogInstalled: { payload: { site: SiteRow; slugs: readonly string[] }; answer: void; scope: StepScope }
  }
}
