import { describe, it } from 'node:test'
import { type BackupRow, insertBackup } from '#features/backups/backup-store.ts'
import { insertSite } from '#features/sites/site-store.ts'
import { newId } from '#platform/db/id.ts'
import { exerciseJob } from '#test/support/job-kit.ts'
import { ENGINES, type TestPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import { backupOffsite } from './backup.offsite.ts'
import { backupOffsitePurge } from './backup.offsite-purge.ts'
import { recordCopy } from './copy-store.ts'

const LIMIT = { timeout: 300_000 }

const disk = { name: 'Disk', provider: 'local' as const, config: { path: '/mnt/backups' }, secrets: {} }

/** A backup that a destination holds already. */
const copied = async (panel: TestPanel) => {
  const { db } = panel.foundation.database
  const backup: BackupRow = {
    id: newId(),
    site_slug: 'bakery',
    server_id: 1,
    type: 'manual',
    note: '',
    snapshot_id: 'a'.repeat(64),
    size_bytes: 5,
    added_bytes: 3,
    files: 10,
    wordpress_version: '7.0',
    php_version: '8.4',
    created_at: 1000,
  }
  const { id: destinationId } = await panel.as('full').destinationCreate({ body: disk })
  await insertSite(db, siteRow('bakery'), ['bakery.localhost'])
  await insertBackup(db, backup)
  await recordCopy(db, { backup, destinationId }, { status: 'good', copied_at: 2000 })
  return backup
}

/** What happens at a storage is in the fleet test; here is what the rows say after each fate of a job. */
for (const engineName of ENGINES)
  describe(`jobs of offsite copies, on ${engineName}`, LIMIT, () => {
    it('backup.offsite: a copy that is there is not made again, and stays', LIMIT, () =>
      exerciseJob(engineName, backupOffsite, {
        prepare: async panel => {
          const { id } = await copied(panel)
          return { serverId: 1, slug: 'bakery', backupIds: [id], isAsked: true }
        },
        look: async panel => (await panel.as('read-only').destinationList()).items.map(({ copies }) => copies),
      }),
    )

    it('backup.offsitePurge: the destination goes at the end, and stays when anything fails before', LIMIT, () =>
      exerciseJob(engineName, backupOffsitePurge, {
        prepare: async panel => {
          const { id } = await panel.as('full').destinationCreate({ body: disk })
          return { destinationId: id, copyIds: null, serverIds: [1] }
        },
        look: async panel =>
          (await panel.as('read-only').destinationList()).items.map(({ name, deleting }) => [name, deleting]),
      }),
    )
  })
