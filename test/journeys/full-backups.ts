import { type BackupRow, insertBackup, listBackups } from '#features/backups/backup-store.ts'
import { changePolicy } from '#features/backups/policy/policy-store.ts'
import { recordCopy } from '#features/offsite/copies/copy-store.ts'
import { insertDestination } from '#features/offsite/destinations/destination-store.ts'
import type { Db } from '#platform/db/database.ts'
import { newId } from '#platform/db/id.ts'
import type { TestPanel } from '../support/panel.ts'

const HOUR_MS = 3_600_000
const NIGHTS = 12
const KINDS = [
  { type: 'scheduled', note: '' },
  { type: 'manual', note: 'Before the redesign' },
  { type: 'pre_update', note: '' },
  { type: 'pre_restore', note: '' },
] as const

const rowOf = (site_slug: string, server_id: number, createdAt: number, seed: number): BackupRow => ({
  id: newId(createdAt),
  site_slug,
  server_id,
  ...(KINDS[seed % 5 === 1 ? seed % KINDS.length : 0] ?? KINDS[0]),
  snapshot_id: '0'.repeat(64),
  size_bytes: 812_000_000 + seed * 3_100_000,
  added_bytes: seed === 0 ? 498_000_000 : (seed * 1_700_000) % 23_000_000,
  files: 11_480 + seed * 7,
  wordpress_version: '6.9.1',
  php_version: '8.4',
  created_at: createdAt,
})

export const DESTINATION_ID = '01890000-0000-7000-8000-000000000128'

/** One destination with copies of most backups; the newest one failed. */
const fillOffsite = async (db: Db, now: number): Promise<void> => {
  await insertDestination(db, {
    id: DESTINATION_ID,
    name: 'Storage box',
    provider: 'sftp',
    config: '{"host":"storage.example.com","user":"u123456","path":"fleet"}',
    sealed_secrets: '',
    secret_names: '["password"]',
    enabled: 1,
    copy_types: '["manual","scheduled","final"]',
    retention_count: null,
    retention_days: 7,
    retention_daily: null,
    retention_weekly: 4,
    retention_monthly: 12,
    sealed_passphrase: 'sealed',
    backfill: 1,
    deleting: 0,
    created_at: now - 90 * 24 * HOUR_MS,
  })
  const [newest, ...older] = await listBackups(db, {}, { limit: 40, offset: 0 })
  for (const backup of older)
    await recordCopy(db, { backup, destinationId: DESTINATION_ID }, { status: 'good', copied_at: backup.created_at })
  const error = 'rclone lsf ended with exit code 1'
  if (newest) await recordCopy(db, { backup: newest, destinationId: DESTINATION_ID }, { status: 'failed', error })
}

/** Nights of backups. Of nine sites one was never backed up, one not lately, and one is switched off. */
export const fillBackups = async ({ foundation: { database } }: TestPanel, now: number): Promise<void> => {
  const { db } = database
  const sites = await db.selectFrom('site').select(['slug', 'server_id']).orderBy('slug').execute()
  for (const [index, { slug, server_id }] of sites.entries()) {
    if (index % 9 === 4) continue
    if (index % 9 === 6) await changePolicy(db, slug, { backups_enabled: 0 })
    const newestMs = (index % 9 === 5 ? 80 : 9) * HOUR_MS
    for (let night = index === 0 ? NIGHTS : 3; night > 0; night -= 1)
      await insertBackup(db, rowOf(slug, server_id, now - newestMs - (night - 1) * 24 * HOUR_MS, NIGHTS - night))
  }
  await fillOffsite(db, now)
  const last = rowOf('old-shop', 1, now - 400 * HOUR_MS, 0)
  await insertBackup(db, { ...last, type: 'final' })
}
