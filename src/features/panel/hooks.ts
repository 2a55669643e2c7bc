import type { Job } from '#platform/contract/job.ts'
import type { Attention } from './contract.ts'
import type { MailRelay } from './mail.ts'

/** What one feature adds to Home. */
export interface OverviewPart {
  counts: Record<string, number>
  attention: Attention[]
}

declare module '#platform/events/events.ts' {
  interface Hooks {
    /** Settings were changed: features that apply them elsewhere do so now, with the jobs they return. */
    settingsChanged: { payload: { sections: readonly string[] }; answer: Job[] }
    /** Home is being shown: what is there, and what needs a person? */
    overview: { payload: Record<string, never>; answer: OverviewPart }
    /** The panel has a letter and no SMTP server: is there a relay that other mail servers accept mail from? */
    ownRelay: { payload: Record<string, never>; answer: MailRelay | undefined }
  }
}
