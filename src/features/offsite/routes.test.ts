import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type BackupRow, insertBackup } from '#features/backups/backup-store.ts'
import { insertSite } from '#features/sites/site-store.ts'
import { newId } from '#platform/db/id.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import { recordCopy } from './copies/copy-store.ts'

const backupOf = (part: Partial<BackupRow>): BackupRow => ({
  id: newId(),
  site_slug: 'bakery',
  server_id: 1,
  type: 'manual',
  note: '',
  snapshot_id: 'a'.repeat(64),
  size_bytes: 5_000_000_000,
  added_bytes: 3_000_000_000,
  files: 10,
  wordpress_version: '7.0',
  php_version: '8.4',
  created_at: Date.now() + 1000,
  ...part,
})

const SECRET = 'Sentinel-secret-access-key'
const s3 = {
  name: 'Bucket',
  provider: 's3' as const,
  config: { endpoint: 'https://s3.example.com', bucket: 'backups', path: 'sites', accessKeyId: 'AKIA' },
  secrets: { secretAccessKey: SECRET },
}

for (const engineName of ENGINES)
  describe(`offsite destinations on ${engineName}`, { timeout: 120_000 }, () => {
    let panel: TestPanel
    let id: string
    const here = backupOf({})
    const earlier = backupOf({ type: 'scheduled', created_at: 1000 })
    const away = backupOf({ snapshot_id: null, created_at: 2000 })
    const db = () => panel.foundation.database.db
    const full = () => panel.as('full')
    before(async () => {
      panel = await testPanel({ engineName })
      await insertSite(db(), siteRow('bakery'), ['bakery.localhost'])
      for (const row of [here, earlier, away]) await insertBackup(db(), row)
    })
    after(() => panel.stop())
    const cancel = (job: { id: string } | null) => full().jobCancel({ params: { id: job?.id ?? assert.fail() } })
    const jobsOf = async (type: string) =>
      (await db().selectFrom('job').selectAll().where('type', '=', type).where('status', '=', 'queued').execute()).map(
        row => ({ id: row.id, input: JSON.parse(row.input) as Record<string, unknown> }),
      )

    it('have nothing to copy to at first', async () => {
      assert.deepEqual((await panel.as('read-only').destinationList()).items, [])
      await assert.rejects(panel.as('manage').backupCopy({ params: { id: here.id } }), {
        code: 'conflict',
        message: /Add or enable one/,
      })
    })

    it('are refused with what is wrong, and nothing is saved', async () => {
      const refused: [object, string][] = [
        [{ ...s3, config: { bucket: 'backups' } }, 'config.accessKeyId'],
        [{ ...s3, config: { ...s3.config, bucket: 'UP' } }, 'config.bucket'],
        [{ ...s3, config: { ...s3.config, more: 'x' } }, 'config.more'],
        [{ ...s3, secrets: {} }, 'secrets.secretAccessKey'],
        [{ ...s3, secrets: { secretAccessKey: 'a\nb' } }, 'secrets.secretAccessKey'],
        [{ ...s3, secrets: { secretAccessKey: '%(x)s' } }, 'secrets.secretAccessKey'],
        [{ ...s3, provider: 'local', config: { path: '/srv/../etc' }, secrets: {} }, 'config.path'],
        [{ ...s3, provider: 'sftp', config: { host: 'h.example', user: 'ada' }, secrets: {} }, 'secrets.password'],
        [{ ...s3, provider: 'webdav', config: { url: 'ftp://x' }, secrets: {} }, 'config.url'],
        [{ ...s3, copyTypes: [] }, 'copyTypes'],
        [{ ...s3, retentionCount: 0 }, 'retentionCount'],
      ]
      for (const [body, path] of refused) {
        const headers = { authorization: `Bearer ${panel.token.full}` }
        const answer = await panel.ask('/api/backup-destinations', { method: 'POST', headers, body })
        assert.equal(answer.status, 400, path)
        assert.ok(answer.text.includes(`"path":"${path}"`), `${path}: ${answer.text}`)
      }
      await assert.rejects(panel.as('manage').destinationCreate({ body: s3 }), { code: 'forbidden' })
      assert.deepEqual((await full().destinationList()).items, [])
    })

    it('show the passphrase once, and no secret ever', async () => {
      const made = await full().destinationCreate({ body: { ...s3, copyTypes: ['manual'] } })
      id = made.id
      assert.ok(made.passphrase && made.passphrase.password.length >= 40 && made.passphrase.salt.length >= 20)
      assert.deepEqual([made.encryption, made.secretsSet, made.config], [true, ['secretAccessKey'], s3.config])
      const list = await full().destinationList()
      const { password, salt } = made.passphrase
      for (const secret of [password, salt, SECRET]) assert.ok(!JSON.stringify(list).includes(secret))
      const rows = JSON.stringify(await db().selectFrom('backup_destination').selectAll().execute())
      for (const secret of [password, salt, SECRET]) assert.ok(!rows.includes(secret))
      assert.deepEqual(await full().destinationPassphrase({ params: { id } }), { password, salt })
      await assert.rejects(panel.as('manage').destinationPassphrase({ params: { id } }), { code: 'forbidden' })
      await assert.rejects(full().destinationCreate({ body: s3 }), { code: 'conflict' })
    })

    it('take each backup once, of the types and from the time they want', async () => {
      const { job } = await panel.as('manage').backupCopy({ params: { id: here.id } })
      assert.deepEqual([job.type, job.siteSlug, job.lanes], ['backup.offsite', 'bakery', ['name:offsite:1']])
      // It does not keep the site from other jobs.
      const other = await panel.as('manage').backupCreate({ params: { slug: 'bakery' }, body: {} })
      await cancel(other.job)
      await cancel(job)
      await assert.rejects(panel.as('manage').backupCopy({ params: { id: away.id } }), /Fetch it back first/)
      await assert.rejects(panel.as('manage').backupCopy({ params: { id: newId() } }), { code: 'not_found' })

      await full().destinationUpdate({ params: { id }, body: { backfill: true, copyTypes: ['manual', 'scheduled'] } })
      const [queued] = await jobsOf('backup.offsite')
      assert.deepEqual(queued?.input.backupIds, [earlier.id, here.id])
      await cancel(queued ?? null)
    })

    it('leave out a site that is switched off, and catch up when it is switched on', async () => {
      const params = { slug: 'bakery' }
      await assert.rejects(panel.as('manage').siteOffsiteSet({ params, body: { enabled: false } }), {
        code: 'forbidden',
      })
      assert.deepEqual(await full().siteOffsiteSet({ params, body: { enabled: false } }), { enabled: false, job: null })
      assert.equal((await full().siteBackupList({ params })).offsiteEnabled, false)
      const { job } = await full().siteOffsiteSet({ params, body: { enabled: null } })
      assert.equal(job?.type, 'backup.offsite')
      await cancel(job)
    })

    it('list their copies, which show at the backup, too', async () => {
      await recordCopy(db(), { backup: here, destinationId: id }, { status: 'good', copied_at: 5 })
      await recordCopy(db(), { backup: away, destinationId: id }, { status: 'copying' })
      await recordCopy(db(), { backup: away, destinationId: id }, { status: 'good', copied_at: 4 })
      await recordCopy(db(), { backup: earlier, destinationId: id }, { status: 'failed', error: 'The disk is full' })
      const { items, total } = await panel.as('read-only').destinationCopyList({ params: { id }, query: {} })
      assert.deepEqual(
        [items.map(copy => [copy.backupId, copy.status]), total],
        [
          [
            [here.id, 'good'],
            [away.id, 'good'],
            [earlier.id, 'failed'],
          ],
          3,
        ],
      )
      const failed = await full().destinationCopyList({ params: { id }, query: { status: 'failed', limit: '1' } })
      assert.deepEqual([failed.items[0]?.error, failed.total], ['The disk is full', 1])
      const [shown] = (await full().destinationList()).items
      assert.deepEqual(
        [shown?.copies, shown?.sites, shown?.lastCopyAt],
        [{ copying: 0, good: 2, failed: 1, damaged: 0 }, 1, 5],
      )
      const backups = (await full().siteBackupList({ params: { slug: 'bakery' } })).items
      assert.deepEqual(backups.find(one => one.id === away.id)?.copies, [
        { destinationId: id, destinationName: 'Bucket', status: 'good', copiedAt: 4 },
      ])
    })

    it('give a backup back that is only there', async () => {
      const { job } = await panel.as('manage').backupFetch({ params: { id: away.id }, body: {} })
      assert.deepEqual([job.type, job.siteSlug, job.lanes], ['backup.fetch', 'bakery', ['name:offsite:1']])
      await cancel(job)
      await assert.rejects(panel.as('manage').backupFetch({ params: { id: here.id }, body: {} }), { code: 'conflict' })
      const body = { destinationId: newId() }
      await assert.rejects(panel.as('manage').backupFetch({ params: { id: away.id }, body }), { code: 'not_found' })
    })

    it('are changed in part; provider and encryption stay', async () => {
      const params = { id }
      const changed = await full().destinationUpdate({
        params,
        body: { name: 'Other', retentionWeekly: 4, config: { bucket: 'other', accessKeyId: 'B' }, enabled: false },
      })
      assert.deepEqual(
        [
          changed.name,
          changed.retentionWeekly,
          changed.config,
          changed.secretsSet,
          changed.enabled,
          changed.passphrase,
        ],
        ['Other', 4, { bucket: 'other', accessKeyId: 'B' }, ['secretAccessKey'], false, null],
      )
      await assert.rejects(full().destinationUpdate({ params, body: { encryption: false } }), {
        code: 'conflict',
        message: /fixed once there are copies/,
      })
      await assert.rejects(full().destinationUpdate({ params, body: { secrets: { secretAccessKey: null } } }), {
        code: 'validation_error',
      })
      const headers = { authorization: `Bearer ${panel.token.full}` }
      const url = `/api/backup-destinations/${id}`
      assert.equal((await panel.ask(url, { method: 'PATCH', headers, body: { provider: 'b2' } })).status, 400)
      await full().destinationUpdate({ params, body: { config: s3.config } })
    })

    it('say in a check what is wrong, never as an error', async () => {
      const untested = await full().destinationTry({
        body: { provider: s3.provider, config: s3.config, secrets: s3.secrets },
      })
      assert.deepEqual([untested.ok, untested.checks.length, untested.checks[0]?.id], [false, 1, 'list'])
      assert.match(untested.checks[0]?.message ?? '', /No server is set up/)
      assert.equal((await panel.as('manage').destinationTest({ params: { id }, body: {} })).ok, false)
      await assert.rejects(panel.as('read-only').destinationTest({ params: { id }, body: {} }), { code: 'forbidden' })
    })

    it('are removed with their copies by a job, or at once; a backup that was only there is no longer listed', async () => {
      const params = { id }
      const { job } = await full().destinationDelete({ params, query: { deleteRemote: 'true' } })
      assert.deepEqual([job?.type, job?.lanes], ['backup.offsitePurge', ['name:offsite:1']])
      assert.equal((await full().destinationList()).items[0]?.deleting, true)
      await assert.rejects(full().destinationDelete({ params, query: {} }), { code: 'conflict' })
      await assert.rejects(full().destinationUpdate({ params, body: { name: 'X' } }), { code: 'conflict' })
      await cancel(job)
      assert.equal((await full().destinationList()).items[0]?.deleting, false)
      assert.deepEqual(await full().destinationDelete({ params, query: {} }), { ok: true, job: null })
      assert.deepEqual((await full().destinationList()).items, [])
      assert.deepEqual((await full().backupIdList({ query: {} })).ids, [here.id, earlier.id])
      await assert.rejects(full().destinationCopyList({ params, query: {} }), { code: 'not_found' })
    })
  })
