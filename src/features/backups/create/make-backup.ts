import type { SiteRow } from '#features/sites/index.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import { type BackupRow, deleteBackups, findBackup } from '../backup-store.ts'
import { recordBackup } from './record-backup.ts'
import { dropSnapshot, requireBackupRoom, takeSnapshot } from './take-snapshot.ts'

/** A whole backup within a step of another job, which keeps the id: called again, it finds what is done. */
export const makeBackup = async (
  work: StepScope,
  site: SiteRow,
  { id, type, note }: Pick<BackupRow, 'id' | 'type' | 'note'>,
): Promise<void> => {
  if (await findBackup(work.db, id)) return
  await requireBackupRoom(work, site)
  const taken = await takeSnapshot(work, site, id)
  await recordBackup(work, site, { id, type, note, taken })
}

/** Harmless when it was never made. */
export const unmakeBackup = async (work: StepScope, site: SiteRow, id: string): Promise<void> => {
  await deleteBackups(work.db, [id])
  await dropSnapshot(work, site, id)
}
