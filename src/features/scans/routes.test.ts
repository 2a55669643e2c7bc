import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { insertSite } from '#features/sites/site-store.ts'
import { newId } from '#platform/db/id.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import { type FindingRow, getFinding, insertFinding, listFindings } from './findings/finding-store.ts'
import { insertItem, type QuarantineRow } from './quarantine/quarantine-store.ts'
import { applyScan } from './scan/apply-scan.ts'
import type { FoundFile } from './scan/scan-files.ts'
import { insertScan, listScans } from './scan/scan-store.ts'
import type { ScanTable } from './tables.ts'

const SHA = 'a'.repeat(64)

const found = (part: Partial<FoundFile> = {}): FoundFile => ({
  path: 'wp-content/uploads/x.php',
  kind: 'malware',
  rule: 'input_to_eval',
  label: 'Runs what a visitor sends as PHP',
  severity: 'confirmed',
  line: 3,
  excerpt: 'eval($_POST["x"]);',
  item: null,
  size: 30,
  modified: 1000,
  sha256: SHA,
  ...part,
})

const findingRow = (part: Partial<FindingRow> = {}): FindingRow => ({
  id: newId(),
  site_slug: 'bakery',
  path: 'x.php',
  kind: 'malware',
  rule: 'input_to_eval',
  label: 'Runs what a visitor sends as PHP',
  severity: 'confirmed',
  line: 3,
  excerpt: 'eval($_POST["x"]);',
  item_kind: null,
  item_slug: null,
  item_version: null,
  size_bytes: 30,
  modified_at: 1000,
  sha256: SHA,
  status: 'open',
  first_seen_at: 1,
  last_seen_at: 1,
  changed_at: 1,
  quarantine_id: null,
  ...part,
})

const scanRow = (part: Partial<ScanTable> = {}): ScanTable => ({
  id: newId(),
  site_slug: 'bakery',
  job_id: newId(),
  started_at: 1,
  finished_at: 2,
  files: 4000,
  known_good: 3900,
  unchanged: 3990,
  files_read: 10,
  bytes_read: 5_000_000_000,
  found: 1,
  fresh: 1,
  quarantined: 0,
  rules_version: '1',
  is_complete: 1,
  left_out: '[]',
  notes: '[]',
  ...part,
})

const itemRow = (part: Partial<QuarantineRow> = {}): QuarantineRow => ({
  id: newId(),
  site_slug: 'bakery',
  path: 'x.php',
  status: 'kept',
  label: 'Runs what a visitor sends as PHP',
  severity: 'confirmed',
  size_bytes: 30,
  mode: 0o640,
  uid: 70000,
  gid: 70000,
  modified_at: 1000,
  sha256: SHA,
  moved_by: 'Ada',
  created_at: 1,
  ended_at: null,
  ...part,
})

for (const engineName of ENGINES)
  describe(`scans on ${engineName}`, { timeout: 120_000 }, () => {
    let panel: TestPanel
    const params = { slug: 'bakery' }
    const db = () => panel.foundation.database.db
    const read = () => panel.as('read-only')
    const manage = () => panel.as('manage')
    before(async () => {
      panel = await testPanel({ engineName })
      await insertSite(db(), siteRow('bakery'), ['bakery.localhost'])
      await insertSite(db(), siteRow('other', 1), ['other.localhost'])
      await insertSite(db(), { ...siteRow('new', 2), status: 'creating' }, ['new.localhost'])
    })
    after(() => panel.stop())
    const add = async (part: Partial<FindingRow>) => {
      const row = findingRow(part)
      await insertFinding(db(), row)
      return { slug: row.site_slug, id: row.id }
    }
    const clear = () => db().deleteFrom('finding').execute()

    it('follow the settings of the fleet, unless a site has its own', async () => {
      const { scan, history } = await read().siteScanGet({ params })
      assert.deepEqual(
        [scan.enabled, scan.onFinding, scan.effective],
        [null, null, { enabled: true, onFinding: 'report' }],
      )
      assert.deepEqual(
        [scan.lastScan, scan.scanning, scan.open, history],
        [null, null, { confirmed: 0, suspicious: 0, notice: 0 }, []],
      )
      await assert.rejects(read().siteScanSettings({ params, body: { enabled: false } }), { code: 'forbidden' })
      const own = await manage().siteScanSettings({ params, body: { enabled: false, onFinding: 'quarantine-all' } })
      assert.deepEqual(own.effective, { enabled: false, onFinding: 'quarantine-all' })
      const part = await manage().siteScanSettings({ params, body: { enabled: null } })
      assert.deepEqual([part.enabled, part.onFinding, part.effective.enabled], [null, 'quarantine-all', true])
      await manage().siteScanSettings({ params, body: { onFinding: null } })
      await panel.as('full').settingsUpdate({ body: { scans: { onFinding: 'quarantine-confirmed' } } })
      assert.equal((await read().siteScanGet({ params })).scan.effective.onFinding, 'quarantine-confirmed')
      await panel.as('full').settingsUpdate({ body: { scans: { onFinding: 'report' } } })
      await assert.rejects(manage().siteScanSettings({ params: { slug: 'none' }, body: {} }), { code: 'not_found' })
    })

    it('are started one at a time for each site, and many at once', async () => {
      await assert.rejects(read().siteScanStart({ params }), { code: 'forbidden' })
      const { job } = await manage().siteScanStart({ params })
      assert.deepEqual([job.type, job.siteSlug, job.lanes], ['site.malwareScan', 'bakery', ['name:scan:1']])
      await assert.rejects(manage().siteScanStart({ params }), {
        code: 'job_conflict',
        details: { jobId: job.id, type: job.type },
      })
      await assert.rejects(manage().siteScanStart({ params: { slug: 'new' } }), { code: 'conflict' })
      await assert.rejects(manage().scanStart({ body: { slugs: ['other', 'none'] } }), { code: 'not_found' })
      assert.equal((await read().scanList()).inFlight.length, 1)
      assert.deepEqual(await manage().scanStart({ body: {} }), { queued: ['other'], already: ['bakery'] })
      const { items, inFlight } = await read().scanList()
      assert.deepEqual(
        items.map(({ siteSlug, scanning }) => [siteSlug, scanning !== null]),
        [
          ['bakery', true],
          ['new', false],
          ['other', true],
        ],
      )
      for (const { jobId } of inFlight) await manage().jobCancel({ params: { id: jobId } })
      assert.deepEqual((await read().scanList()).inFlight, [])
    })

    it('keep the last fifty of each site', async () => {
      for (let index = 0; index < 52; index += 1) await insertScan(db(), scanRow({ files: index }))
      const { history, scan } = await read().siteScanGet({ params })
      assert.deepEqual([history.length, history[0]?.files, history.at(-1)?.files], [50, 51, 2])
      assert.deepEqual(
        [scan.lastScan?.files, scan.lastScan?.bytesRead, scan.lastScan?.isComplete],
        [51, 5_000_000_000, true],
      )
      assert.equal((await listScans(db(), 'other')).length, 0)
    })

    it('list findings with the most serious first, and show what is in files only to those who may manage', async () => {
      await clear()
      await add({ path: 'a.php', severity: 'notice' })
      await add({ path: 'b.php', severity: 'confirmed' })
      await add({ path: 'c.php', severity: 'suspicious' })
      await add({ path: 'd.php', status: 'resolved' })
      const { items, counts } = await read().findingList({ params, query: {} })
      assert.deepEqual(
        items.map(({ path }) => path),
        ['b.php', 'c.php', 'a.php'],
      )
      assert.deepEqual(counts, { open: 3, ignored: 0, resolved: 1, quarantined: 0 })
      assert.ok(items.every(({ excerpt }) => excerpt === null))
      const all = await manage().findingList({ params, query: { status: 'all' } })
      assert.deepEqual([all.items.length, all.items[0]?.excerpt], [4, 'eval($_POST["x"]);'])
      const { attention } = await read().overview()
      assert.equal(attention.find(({ id }) => id === 'malware:bakery')?.severity, 'critical')
      assert.equal((await read().scanList()).items[0]?.open.confirmed, 1)
    })

    it('let findings be ignored, opened again and resolved, each from one status only', async () => {
      await clear()
      const one = await add({})
      await assert.rejects(read().findingIgnore({ params: one }), { code: 'forbidden' })
      await assert.rejects(manage().findingIgnore({ params: { ...one, slug: 'other' } }), { code: 'not_found' })
      await assert.rejects(manage().findingUnignore({ params: one }), { code: 'conflict', details: { status: 'open' } })
      assert.equal((await manage().findingIgnore({ params: one })).status, 'ignored')
      await assert.rejects(manage().findingResolve({ params: one }), { code: 'conflict' })
      assert.equal((await manage().findingUnignore({ params: one })).status, 'open')
      assert.equal((await manage().findingResolve({ params: one })).status, 'resolved')
      await assert.rejects(manage().findingQuarantine({ params: one }), { code: 'conflict' })
    })

    it('refuse what a file is not meant for', async () => {
      await clear()
      const shell = await add({})
      await assert.rejects(manage().findingReinstall({ params: shell }), {
        code: 'conflict',
        message: /belongs to nothing/,
      })
      await assert.rejects(manage().findingPutBack({ params: shell }), {
        code: 'conflict',
        message: /isn't the panel's own/,
      })
      const core = await add({
        path: 'index.php',
        kind: 'changed',
        item_kind: 'core',
        item_slug: 'core',
        item_version: '7.0',
      })
      const { job } = await manage().findingReinstall({ params: core })
      assert.deepEqual([job.type, job.lanes], ['wp.reinstall', ['server:1']])
      await assert.rejects(manage().findingReinstall({ params: core }), { code: 'job_conflict' })
      await manage().jobCancel({ params: { id: job.id } })
      const own = await add({ path: 'wp-config.php', kind: 'panel' })
      const { job: again } = await manage().findingPutBack({ params: own })
      assert.equal(again.type, 'site.malwareScan')
      await manage().jobCancel({ params: { id: again.id } })
      await add({ site_slug: 'other', path: 'wp-config.php', kind: 'panel' })
    })

    it('list files in quarantine; one that was restored or deleted is over', async () => {
      const ended = itemRow({ status: 'restored', ended_at: 5 })
      await insertItem(db(), ended)
      await insertItem(db(), itemRow({ id: newId() }))
      const { items } = await read().quarantineList({ params })
      assert.deepEqual(
        items.map(({ status, mode, owner }) => [status, mode, owner]),
        [
          ['kept', '0640', '70000:70000'],
          ['restored', '0640', '70000:70000'],
        ],
      )
      const over = { params: { slug: 'bakery', id: ended.id } }
      await assert.rejects(manage().quarantineRestore(over), { code: 'conflict', message: /it was restored/ })
      await assert.rejects(manage().quarantineDelete(over), { code: 'conflict' })
      await assert.rejects(manage().quarantineDelete({ params: { slug: 'other', id: ended.id } }), {
        code: 'not_found',
      })
      await assert.rejects(read().quarantineDelete(over), { code: 'forbidden' })
    })

    it('open what is new or came back, and leave alone what people have decided until the file changes', async () => {
      await clear()
      const apply = (files: FoundFile[], complete = true) => {
        const summary = { files: 1, knownGood: 0, unchanged: 0, read: 1, bytes: 1, complete, leftOut: {} }
        return applyScan(db(), 'bakery', { found: files, summary, rulesVersion: '1', notes: [] }, Date.now())
      }
      const only = async () => (await listFindings(db(), 'bakery'))[0] ?? assert.fail()
      assert.equal(await apply([found(), found()]), 1)
      const one = { slug: 'bakery', id: (await only()).id }
      assert.equal(await apply([found()]), 0)
      await manage().findingIgnore({ params: one })
      assert.equal(await apply([found()]), 0)
      assert.equal((await only()).status, 'ignored')
      assert.equal(await apply([found({ sha256: 'b'.repeat(64) })]), 1)
      assert.equal((await only()).status, 'open')
      await apply([], false)
      assert.equal((await only()).status, 'open', 'a scan that ended early resolves nothing')
      await apply([])
      assert.equal((await only()).status, 'resolved')
      assert.equal(await apply([found()]), 1)
      assert.deepEqual([(await only()).status, (await getFinding(db(), 'bakery', one.id)).id], ['open', one.id])
      await clear()
      await apply([found({ kind: 'new', rule: 'new_file', severity: 'notice' })])
      await manage().findingResolve({ params: { slug: 'bakery', id: (await only()).id } })
      assert.equal(await apply([found({ kind: 'new', rule: 'new_file', severity: 'notice' })]), 0)
    })
  })
