import type { BackupRow } from '#features/backups/index.ts'
import type { Db } from '#platform/db/database.ts'
import { newId } from '#platform/db/id.ts'
import type { BackupCopyTable } from '../tables.ts'

export type CopyRow = BackupCopyTable

interface Filter {
  readonly destinationId?: string | undefined
  readonly status?: CopyRow['status'] | undefined
  readonly backupIds?: readonly string[]
}

const matching = (db: Db, { destinationId, status, backupIds }: Filter) =>
  db
    .selectFrom('backup_copy')
    .$if(destinationId !== undefined, query => query.where('destination_id', '=', destinationId ?? ''))
    .$if(status !== undefined, query => query.where('status', '=', status ?? 'good'))
    .$if(backupIds !== undefined, query => query.where('backup_id', 'in', [...(backupIds ?? [])]))

/** Those of the newest backup first. */
export const listCopies = async (
  db: Db,
  filter: Filter,
  page?: { readonly limit: number; readonly offset: number },
): Promise<CopyRow[]> =>
  filter.backupIds?.length === 0
    ? []
    : matching(db, filter)
        .selectAll()
        .orderBy('backup_created_at', 'desc')
        .orderBy('id', 'desc')
        .$if(page !== undefined, query => query.limit(page?.limit ?? 0).offset(page?.offset ?? 0))
        .execute()

export const countCopies = async (db: Db, filter: Filter): Promise<number> =>
  (
    await matching(db, filter)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count

/** How many there are of each status, per destination. */
export const countByStatus = (db: Db) =>
  db
    .selectFrom('backup_copy')
    .select(({ fn }) => [
      'destination_id',
      'status',
      fn.countAll<number>().as('count'),
      fn.count<number>('site_slug').distinct().as('sites'),
      fn.max('copied_at').as('last_at'),
    ])
    .groupBy(['destination_id', 'status'])
    .execute()

/** Of the backup that is the newest at its destination. */
export const findNewestCopy = (db: Db, destinationId: string): Promise<CopyRow | undefined> =>
  db
    .selectFrom('backup_copy')
    .selectAll()
    .where('destination_id', '=', destinationId)
    .orderBy('backup_created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

type Fate = Pick<CopyRow, 'status'> & Partial<Pick<CopyRow, 'error' | 'copied_at'>>

/** Written over whatever was known of this copy before. */
export const recordCopy = async (
  db: Db,
  { backup, destinationId }: { readonly backup: BackupRow; readonly destinationId: string },
  { status, error = null, copied_at = null }: Fate,
): Promise<void> => {
  const fate = { status, error, copied_at }
  await db
    .insertInto('backup_copy')
    .values({
      id: newId(),
      destination_id: destinationId,
      backup_id: backup.id,
      site_slug: backup.site_slug,
      size_bytes: backup.size_bytes,
      backup_created_at: backup.created_at,
      ...fate,
    })
    .onConflict(conflict => conflict.columns(['backup_id', 'destination_id']).doUpdateSet(fate))
    .execute()
}

export const markDamaged = async (db: Db, id: string, error: string): Promise<void> => {
  await db.updateTable('backup_copy').set({ status: 'damaged', error }).where('id', '=', id).execute()
}

/** Damage was found, and what was left of the copy is no longer there. */
export const markLost = async (db: Db, id: string): Promise<void> => {
  const error = 'Its files at the destination were damaged. It is copied again if the backup is still on its server'
  await db.updateTable('backup_copy').set({ status: 'damaged', error, copied_at: null }).where('id', '=', id).execute()
}

/** Nothing at the destination has to be repaired because of it. */
export const isSettled = ({ status, copied_at }: CopyRow): boolean =>
  status === 'good' || (status === 'damaged' && copied_at === null)

/** It was complete once, and is not among those that are there. */
export const isLost = ({ backup_id, copied_at }: CopyRow, copied: readonly string[]): boolean =>
  copied_at !== null && !copied.includes(backup_id)

export const deleteCopies = async (db: Db, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0)
    await db
      .deleteFrom('backup_copy')
      .where('id', 'in', [...ids])
      .execute()
}
