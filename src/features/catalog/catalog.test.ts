import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { plugin } from '#test/support/breaking-plugins.ts'
import { type ZipEntry, zipOf } from '#test/support/files/zip.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { sendZip, uploadPlugin } from '#test/support/upload-plugin.ts'
import { serveDirectory } from '#test/support/wordpress-directory.ts'
import { type Mirror, startMirror } from '#test/support/wordpress-org.ts'
import { hashOfFindings } from './check-record.ts'
import type { ZipFinding } from './contract.ts'
import { catalogOffers, catalogUpdates } from './offers.ts'
import { tidyZips } from './tidy-zips.ts'
import { vouchedFiles } from './vouched-files.ts'
import { changeZip, keepFiles, listZips } from './zip-store.ts'

const HEADER =
  '<?php\n/*\n * Plugin Name: Acme <b>Pro</b>\n * Version: 2.1\n * Requires PHP: 8.1\n * Requires at least: 6.5 */'
const UNKNOWN_ID = '01890000-0000-7000-8000-00000000ffff'

/** Each of them must be refused before anything is unpacked. */
const UNSAFE: Readonly<Record<string, readonly ZipEntry[]>> = {
  'a path that leads out': [{ name: 'acme/../../evil.php', content: HEADER }],
  'an absolute path': [{ name: '/acme/acme.php', content: HEADER }],
  'a drive letter': [{ name: 'c:/acme.php', content: HEADER }],
  'a backslash': [{ name: 'acme\\acme.php', content: HEADER }],
  'a link': [
    { name: 'acme/acme.php', content: HEADER },
    { name: 'acme/link', content: '/etc', mode: 0o120777 },
  ],
  'a device': [
    { name: 'acme/acme.php', content: HEADER },
    { name: 'acme/null', mode: 0o020666 },
  ],
  'a name twice': [
    { name: 'acme/acme.php', content: HEADER },
    { name: 'acme/ACME.php', content: 'x' },
  ],
  'a folder that is a file': [
    { name: 'acme/acme.php', content: HEADER },
    { name: 'acme/acme.php/x', content: 'x' },
  ],
  'a name that is not UTF-8': [{ name: Buffer.from([0x61, 0x2f, 0xff, 0xfe]), content: HEADER }],
  'a control character': [{ name: 'acme/a\nb.php', content: HEADER }],
  'a long name': [{ name: `acme/${'a'.repeat(300)}.php`, content: HEADER }],
  'a deep path': [{ name: `acme/${'a/'.repeat(200)}b.php`, content: HEADER }],
  'an encrypted file': [{ name: 'acme/acme.php', content: HEADER, flags: 0x801 }],
  'an unknown packing': [{ name: 'acme/acme.php', content: HEADER, method: 12 }],
  'shared bytes': [
    { name: 'acme/acme.php', content: HEADER },
    { name: 'acme/b.php', content: HEADER, overlaps: true },
  ],
  'a huge size': [{ name: 'acme/acme.php', content: HEADER, sizeSaid: 4_000_000_000 }],
  'two folders': [
    { name: 'acme/acme.php', content: HEADER },
    { name: 'other/x.php', content: 'x' },
  ],
  'no folder': [{ name: 'acme.php', content: HEADER }],
  'no plugin': [{ name: 'acme/readme.txt', content: 'Plugin Name: none' }],
}

const FINDING: ZipFinding = {
  path: 'lib/part.php',
  kind: 'malware',
  label: 'Web shell',
  severity: 'confirmed',
  rule: 'web-shell',
  line: 1,
  detail: 'eval($_POST)',
}

for (const engineName of ENGINES) {
  describe(`the plugin catalog on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let mirror: Mirror
    const api = () => panel.as('full')
    const db = () => panel.foundation.database.db
    const files = async () => (await readdir(`${panel.config.dataDir}/plugins`).catch((): string[] => [])).toSorted()
    before(async () => {
      mirror = await startMirror()
      panel = await testPanel({ engineName })
      const wordpressOrg = { apiUrl: mirror.api, downloadsUrl: mirror.downloads }
      await api().settingsUpdate({ body: { wordpressOrg } })
      serveDirectory(mirror).publish(plugin('forms', '1.0'))
    })
    after(async () => {
      await panel.stop()
      mirror.close()
    })

    it('pluginAdd: takes what WordPress.org has, once, and anything with force', async () => {
      const made = await api().pluginAdd({ body: { kind: 'wporg', slug: 'forms', isDefault: true } })
      assert.deepEqual(
        [made.kind, made.slug, made.name, made.isDefault, made.check],
        ['wporg', 'forms', 'forms', true, null],
      )
      await assert.rejects(api().pluginAdd({ body: { kind: 'wporg', slug: 'forms' } }), { code: 'conflict' })
      await assert.rejects(api().pluginAdd({ body: { kind: 'wporg', slug: 'nothing' } }), { code: 'validation_error' })
      await assert.rejects(api().pluginAdd({ body: { kind: 'wporg', slug: '../x' } }), { code: 'validation_error' })
      await api().pluginAdd({ body: { kind: 'wporg', slug: 'nothing', name: 'Not there', force: true } })
      const { items } = await panel.as('read-only').pluginList()
      assert.deepEqual(
        items.map(({ name, installable }) => [name, installable]),
        [
          ['Not there', true],
          ['forms', true],
        ],
      )
    })

    it('pluginUpdate and pluginDelete: rename, change the default, and delete', async () => {
      const { items } = await api().pluginList()
      const id = items.find(({ slug }) => slug === 'nothing')?.id ?? ''
      const changed = await api().pluginUpdate({ params: { id }, body: { name: 'Later', isDefault: true } })
      assert.deepEqual([changed.name, changed.isDefault], ['Later', true])
      await assert.rejects(api().pluginCheckStart({ params: { id } }), { code: 'conflict' })
      assert.deepEqual(await api().pluginCheck({ params: { id } }), { check: null, findings: [] })
      assert.deepEqual(await api().pluginDelete({ params: { id } }), { ok: true })
      for (const act of ['pluginDelete', 'pluginCheck', 'pluginCheckStart', 'pluginReview'] as const)
        await assert.rejects(api()[act]({ params: { id } }), { code: 'not_found' })
      await assert.rejects(api().pluginUpdate({ params: { id: UNKNOWN_ID }, body: {} }), { code: 'not_found' })
    })

    it('pluginUpload: refuses what is not safe or no plugin, and keeps nothing of it', async () => {
      for (const [what, entries] of Object.entries(UNSAFE)) {
        const answer = await sendZip(panel, zipOf(entries))
        assert.equal(answer.status, 400, `${what}: ${answer.text}`)
        assert.match(answer.text, /"validation_error"/, what)
      }
      for (const bytes of [Buffer.from(''), Buffer.from('not a zip'), zipOf([]).subarray(0, 20)])
        assert.equal((await sendZip(panel, bytes)).status, 400)
      const bomb = zipOf([{ name: 'acme/acme.php', content: Buffer.alloc(150 * 1024 ** 2) }])
      assert.match((await sendZip(panel, bomb)).text, /more than 200 times its size/)
      assert.deepEqual(await files(), [])
      assert.equal((await sendZip(panel, zipOf([]), {}, 'manage')).status, 403)
    })

    it('pluginUpload: reads what the zip says of itself and has it checked', async () => {
      const zip = zipOf([
        { name: 'acme/', mode: 0o040755, method: 0 },
        { name: 'acme/readme.txt', content: 'x' },
        { name: 'acme/acme.php', content: HEADER },
        { name: '__MACOSX/._acme', content: 'x' },
      ])
      const answer = await sendZip(panel, zip, { isDefault: 'true' })
      assert.equal(answer.status, 201, answer.text)
      const { plugin: made, job } = answer.json() as Awaited<ReturnType<typeof uploadPlugin>>
      const { slug, name, isDefault, installable, version, check } = made
      assert.deepEqual([slug, name, isDefault, installable, version], ['acme', 'Acme <b>Pro</b>', true, false, null])
      assert.deepEqual(
        [check?.status, check?.checking, check?.folder, check?.version],
        ['pending', true, 'acme', '2.1'],
      )
      const [{ requiresPhp, requiresWordpress, sha256 }] = made.versions as [(typeof made.versions)[number]]
      assert.deepEqual([requiresPhp, requiresWordpress], ['8.1', '6.5'])
      assert.deepEqual([job.type, job.status, job.lanes], ['plugin.zipCheck', 'queued', ['name:scan:1']])
      assert.deepEqual(await files(), [`${sha256}.zip`])
      await assert.rejects(api().pluginCheckStart({ params: { id: made.id } }), { code: 'conflict' })
      await api().jobCancel({ params: { id: job.id } })
      assert.equal((await api().pluginCheck({ params: { id: made.id } })).check?.checking, false)
      assert.equal((await api().pluginCheckStart({ params: { id: made.id } })).job.type, 'plugin.zipCheck')
    })

    it('pluginUpload: a newer zip is a new version, and no folder has two sources', async () => {
      const older = await uploadPlugin(panel, plugin('acme', '1.9'))
      const newer = await uploadPlugin(panel, plugin('acme', '2.10'))
      assert.equal(newer.plugin.id, older.plugin.id)
      assert.deepEqual(
        newer.plugin.versions.map(({ version }) => version),
        ['2.10', '2.1', '1.9'],
      )
      const again = await uploadPlugin(panel, plugin('acme', '2.10', '// other'))
      assert.equal(again.plugin.versions.length, 3)
      const answer = await sendZip(panel, zipOf([{ name: 'forms/forms.php', content: HEADER }]))
      assert.equal(answer.status, 409)
    })

    it('pluginReview: holds for exactly these findings', async () => {
      const { items } = await api().pluginList()
      const acme = items.find(({ slug }) => slug === 'acme')
      const params = { id: acme?.id ?? '' }
      const [newest, second] = await listZips(db(), params.id)
      assert.ok(newest && second)
      await assert.rejects(api().pluginReview({ params }), { code: 'conflict' })
      const flagged = { status: 'flagged', is_checking: 0, files: 2, findings: JSON.stringify([FINDING]) } as const
      await changeZip(db(), newest.id, flagged)
      await keepFiles(db(), newest.id, [{ path: 'lib/part.php', sha256: 'a'.repeat(64) }])
      const shown = await panel.as('read-only').pluginCheck({ params })
      assert.deepEqual(shown.findings, [{ ...FINDING, detail: null }])
      assert.deepEqual((await panel.as('manage').pluginCheck({ params })).findings, [FINDING])
      const { flagged: count, confirmed, needsReview } = shown.check ?? {}
      assert.deepEqual([count, confirmed, needsReview], [1, 1, true])
      assert.equal((await catalogOffers(db())).get('acme'), undefined)
      assert.equal(await vouchedFiles(db(), 'acme', '2.10'), undefined)
      const body = { source: { kind: 'catalog' as const, id: params.id } }
      await assert.rejects(api().wpPluginInstall({ params: { slug: 'none' }, body }), { code: 'conflict' })
      const { check } = await api().pluginReview({ params })
      assert.deepEqual([check.reviewed, check.needsReview], [true, false])
      assert.equal((await catalogOffers(db())).get('acme')?.version, '2.10')
      assert.equal((await vouchedFiles(db(), 'acme', '2.10'))?.get('lib/part.php'), 'a'.repeat(64))
      const another = { ...FINDING, line: 2 }
      assert.notEqual(hashOfFindings([FINDING]), hashOfFindings([another]))
      await changeZip(db(), newest.id, { findings: JSON.stringify([FINDING, another]) })
      assert.equal((await api().pluginCheck({ params })).check?.needsReview, true)
      await changeZip(db(), newest.id, { status: 'failed' })
      await changeZip(db(), second.id, { status: 'clean' })
      assert.equal((await catalogOffers(db())).get('acme')?.version, '2.1', 'the newest that may be installed')
    })

    it('an offer is an update where it is newer than the site and what the site knows', async () => {
      const find = await catalogUpdates(db())
      assert.equal(find('acme', '2.0', null)?.version, '2.1')
      assert.equal(find('acme', '2.0', '2.0.5')?.version, '2.1')
      assert.equal(find('acme', '2.0', '3.0'), undefined)
      assert.equal(find('acme', '2.1', null), undefined)
      assert.equal(find('forms', '0.1', null), undefined)
    })

    it('new sites: the options, and what they get when nothing is chosen', async () => {
      const { plugins } = await panel.as('read-only').siteOptions()
      assert.deepEqual(
        plugins.map(({ slug, isDefault }) => [slug, isDefault]),
        [
          ['acme', true],
          ['forms', true],
        ],
      )
      const scope = panel.world.scope(systemActor('test'))
      const [chosen = {}] = await scope.events.raise(scope, 'newSiteChoices', {})
      assert.deepEqual(
        chosen.pluginIds,
        plugins.map(({ id }) => id),
      )
      const site = {
        title: 'A',
        slug: 'a',
        domainMode: 'dev' as const,
        adminUser: 'ada',
        adminEmail: 'ada@example.com',
      }
      const wrong = { ...site, pluginIds: [UNKNOWN_ID] }
      await db().updateTable('server').set({ provisioned_at: Date.now() }).where('id', '=', 1).execute()
      await assert.rejects(api().siteCreate({ body: wrong }), { code: 'validation_error' })
      assert.deepEqual((await api().siteList({ query: {} })).items, [])
    })

    it('housekeeping deletes versions that no site has and files that no version has', async () => {
      const said = await tidyZips(panel.world.scope(systemActor('test')))
      assert.match(said, /^Deleted 1 /)
      const { items } = await api().pluginList()
      const acme = items.find(({ slug }) => slug === 'acme')
      assert.deepEqual(
        acme?.versions.map(({ version }) => version),
        ['2.10', '2.1'],
      )
    })
  })
}
