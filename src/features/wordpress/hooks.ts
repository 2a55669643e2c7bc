import type { SiteRow } from '#features/sites/index.ts'

declare module '#platform/events/events.ts' {
  interface Hooks {
    /** WordPress could not send an email just now: what was said about it? */
    mailRefusal: { payload: { site: SiteRow; since: number }; answer: string | undefined }
  }
}
