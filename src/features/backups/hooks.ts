import type { Job } from '#platform/contract/job.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import type { BackupRow } from './backup-store.ts'
import type { BackupCopy } from './contract.ts'

declare module '#platform/events/events.ts' {
  interface Hooks {
    /** A backup is complete: what should follow from it is started. */
    backupTaken: { payload: { backup: BackupRow }; answer: void }
    /** Where else are these backups? By id. */
    backupCopies: { payload: { ids: readonly string[] }; answer: ReadonlyMap<string, readonly BackupCopy[]> }
    /** Backups of one site are being deleted with all their copies. */
    backupCopiesDeleting: { payload: { backups: readonly BackupRow[] }; answer: void; scope: StepScope }
    /** A backup should be copied elsewhere now. One answer. */
    backupCopying: { payload: { backup: BackupRow }; answer: Job }
    /** A backup should come back from elsewhere. One answer. */
    backupFetching: { payload: { backup: BackupRow; destinationId: string | undefined }; answer: Job }
    /** Someone decided whether the backups of a site are copied elsewhere. One answer. */
    siteOffsiteChanged: { payload: { siteSlug: string }; answer: Job | null }
  }
}
