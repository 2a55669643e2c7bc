import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { listKept } from '#drivers/wordpress-org/core-cache.ts'
import { getSite } from '#features/sites/index.ts'
import type { Job } from '#platform/contract/job.ts'
import { PAYLOADS } from '#test/generated/payloads.ts'
import { NEW_PLUGINS, OLD_PLUGINS, plainTheme, premiumPlugin } from '#test/support/breaking-plugins.ts'
import { assertNoCanary } from '#test/support/canary.ts'
import { endedOn, logOn } from '#test/support/drive-panel.ts'
import { exerciseJob, variantsOf } from '#test/support/job-kit.ts'
import { publishCore } from '#test/support/next-core.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { askMirror, type Directory, packageOf, serveDirectory } from '#test/support/wordpress-directory.ts'
import { type Mirror, startMirror } from '#test/support/wordpress-org.ts'
import { WordpressPerson } from '#test/support/wordpress-person.ts'
import { clearCode } from './clear-code.ts'
import { ItemName, type TaskItem, type TaskOp, type TaskReport } from './contract.ts'
import { wpBulkTask } from './wp.bulk-task.ts'
import { wpCoreUpdate } from './wp.core-update.ts'
import { wpPluginTask } from './wp.plugin-task.ts'

const SLUG = 'shop'
const JOB_MS = 5 * 60_000
const TYPES = [wpPluginTask, wpCoreUpdate, wpBulkTask]

describe('updates of a site', { timeout: 20 * 60_000 }, () => {
  let house: SiteHouse
  let mirror: Mirror
  let directory: Directory
  let core: string
  let archive: string
  let address: string
  const params = { slug: SLUG }
  const api = () => house.panel.as('manage')
  const server = () => house.servers[0] ?? assert.fail()
  const person = () => new WordpressPerson(server().address, `http://${SLUG}.${server().name}.localhost`)
  const inSite = async (script: string) => {
    const ended = await server().exec(['docker', 'exec', `fleetpress-site-${SLUG}`, 'sh', '-euc', script])
    assert.equal(ended.exitCode, 0, `${script}\n${ended.stdout}${ended.stderr}`)
    return ended.stdout
  }
  const ended = (job: Job) => endedOn(house.panel, job, JOB_MS)
  const bulk = async (ops: TaskOp[], healthCheck = true): Promise<TaskItem[]> => {
    const job = await ended((await api().wpBulk({ params, body: { ops, healthCheck } })).job)
    assert.equal(job.status, 'succeeded', `${job.error?.message} ${await logOn(house.panel, job)}`)
    return (job.result as TaskReport).items
  }
  const done = async (job: Job) => {
    const last = await ended(job)
    assert.equal(last.status, 'succeeded', `${last.error?.message}\n${await logOn(house.panel, last)}`)
    const { items } = last.result as TaskReport
    for (const item of items) assert.equal(item.fate, 'done', item.reason ?? '')
  }
  const versionOf = async (slug: string) =>
    (await inSite(`sed -n "s/^Version: //p" wp-content/plugins/${slug}/${slug}.php`)).trim()
  const assertHealthy = async () => {
    const page = await person().ask('/')
    assert.equal(page.status, 200, page.text.slice(0, 300))
    assert.equal(
      (await inSite('find . -maxdepth 1 -name ".maintenance" -o -maxdepth 1 -name ".fleetpress-*"')).trim(),
      '',
    )
  }

  before(async () => {
    mirror = await startMirror('0.0.0.0')
    directory = serveDirectory(mirror)
    house = await siteHouse(1, { extraJobs: TYPES.flatMap(variantsOf) })
    const [kept] = await listKept(`${house.panel.config.dataDir}/cache`)
    assert.ok(kept)
    core = kept.version
    archive = kept.path
    directory.offerCore(core)
    address = await askMirror(house.panel, server(), mirror)
    await publishCore(mirror, kept.path, '50.0', { 'license.txt': () => 'fifty' })
    await publishCore(mirror, kept.path, '60.0', { 'wp-settings.php': () => '<?php throw new Error("broken core");' })
    for (const item of [...OLD_PLUGINS, plainTheme('1.0')]) directory.publish(item)
    await house.create(SLUG)
  })
  after(async () => {
    await house?.[Symbol.asyncDispose]()
    mirror?.close()
  })

  it('wpPluginInstall: installs from the directory and activates', async () => {
    const body = { source: { kind: 'wporg' as const, slug: 'good' }, activate: true }
    await done((await api().wpPluginInstall({ params, body })).job)
    assert.match((await person().ask('/')).text, /<!-- good 1\.0 -->/)
    const others = OLD_PLUGINS.map(({ slug }) => slug).filter(slug => slug !== 'good')
    const items = await bulk(
      others.flatMap(slug => [
        { kind: 'plugin' as const, slug, action: 'install' as const },
        { kind: 'plugin' as const, slug, action: 'activate' as const },
      ]),
      false,
    )
    assert.deepEqual(new Set(items.map(({ fate, reason }) => `${fate} ${reason}`)), new Set(['done null']))
    const { items: plugins } = await api().wpPlugins({ params })
    assert.equal(plugins.filter(({ status }) => status === 'active').length, OLD_PLUGINS.length)
    const nothing = await bulk([{ kind: 'plugin', slug: 'no-such-plugin', action: 'install' }])
    assert.deepEqual([nothing[0]?.fate, nothing[0]?.reason], ['skipped', "no-such-plugin isn't on WordPress.org."])
  })

  it('WordPress itself asks the mirror, too', async () => {
    for (const item of NEW_PLUGINS) directory.publish(item)
    const { plugins } = await api().wpSync({ params })
    assert.equal(plugins.find(({ name }) => name === 'good')?.update?.version, '1.1')
  })

  it('wpBulk: updates what survives, rolls back what breaks, and says what became of each', async () => {
    const slugs = ['good', 'fatal', 'admin-only', 'slow', 'corrupt', 'forged', 'needs-php', 'not-there']
    const items = await bulk(slugs.map(slug => ({ kind: 'plugin', slug, action: 'update' })))
    assert.deepEqual(
      items.map(({ slug, fate, from, to }) => [slug, fate, from, to]),
      [
        ['good', 'done', '1.0', '1.1'],
        ['fatal', 'rolled-back', '1.0', '1.1'],
        ['admin-only', 'rolled-back', '1.0', '1.1'],
        ['slow', 'done', '1.0', '1.1'],
        ['corrupt', 'failed', '1.0', '1.1'],
        ['forged', 'failed', '1.0', '1.1'],
        ['needs-php', 'skipped', '1.0', '1.1'],
        ['not-there', 'skipped', null, null],
      ],
      JSON.stringify(items),
    )
    assert.match(items[2]?.reason ?? '', /admin-only-page no longer worked/)
    for (const slug of slugs.slice(0, -1))
      assert.equal(await versionOf(slug), slug === 'good' || slug === 'slow' ? '1.1' : '1.0', slug)
    await assertHealthy()
    const status = await api().wpStatus({ params })
    const good = status.plugins.find(({ name }) => name === 'good')
    assert.deepEqual([good?.version, good?.update, good?.status], ['1.1', null, 'active'])
  })

  it('wpPluginUpdate: fails and leaves all as before when the plugin breaks the site', async () => {
    const job = await ended((await api().wpPluginUpdate({ params: { ...params, name: 'fatal' } })).job)
    assert.deepEqual([job.status, job.error?.code], ['failed', 'item_rolled_back'])
    assert.match(job.error?.message ?? '', /fatal was rolled back/)
    assert.equal(await versionOf('fatal'), '1.0')
    const refused = await ended((await api().wpPluginUpdate({ params: { ...params, name: 'needs-php' } })).job)
    assert.deepEqual([refused.status, refused.error?.code], ['failed', 'item_skipped'])
    assert.match(refused.error?.message ?? '', /needs PHP 9\.5/)
    await assertHealthy()
  })

  it('wpPluginDeactivate, wpPluginActivate and wpPluginDelete: change what is active, and what is there', async () => {
    const name = { params: { ...params, name: 'slow' } }
    await done((await api().wpPluginDeactivate(name)).job)
    assert.doesNotMatch((await person().ask('/')).text, /<!-- slow/)
    await done((await api().wpPluginActivate(name)).job)
    assert.match((await person().ask('/')).text, /<!-- slow 1\.1 -->/)
    await done((await api().wpPluginDelete(name)).job)
    assert.equal((await inSite('ls wp-content/plugins')).includes('slow'), false)
    await inSite(
      `sed -i "s/^add_action.*/nowhere();/" wp-content/plugins/corrupt/corrupt.php && wp plugin deactivate corrupt --skip-plugins > /dev/null`,
    )
    const broken = await ended((await api().wpPluginActivate({ params: { ...params, name: 'corrupt' } })).job)
    assert.equal(broken.status, 'failed')
    assert.match(await inSite('wp plugin list --name=corrupt --field=status'), /inactive/)
    await assertHealthy()
  })

  it('a package that only its author has is downloaded by the site, and none is installed without a license', async () => {
    const packageUrl = `${address}/author/premium.zip?license=1`
    const premium = premiumPlugin('1.0', packageUrl)
    directory.publish(premium)
    for (const action of ['install', 'activate'] as const) await bulk([{ kind: 'plugin', slug: 'premium', action }])
    mirror.answers.set('/author/premium.zip', response => response.writeHead(403).end('No license'))
    const name = { params: { ...params, name: 'premium' } }
    const refused = await ended((await api().wpPluginUpdate(name)).job)
    assert.deepEqual([refused.status, refused.error?.code], ['failed', 'item_failed'])
    assert.match(refused.error?.message ?? '', /author didn't provide the package/)
    assert.equal(await versionOf('premium'), '1.0')
    mirror.answers.set('/author/premium.zip', packageOf(premiumPlugin('1.1', packageUrl)))
    await done((await api().wpPluginUpdate(name)).job)
    assert.equal(await versionOf('premium'), '1.1')
    assert.ok(mirror.asked.includes('/author/premium.zip?license=1'))
    await assertHealthy()
  })

  it('wpThemeActivate, wpThemeUpdate and wpThemeDelete: do the same for themes', async () => {
    await bulk([{ kind: 'theme', slug: 'plain', action: 'install' }])
    const name = { params: { ...params, name: 'plain' } }
    await done((await api().wpThemeActivate(name)).job)
    assert.match((await person().ask('/')).text, /plain 1\.0/)
    await assert.rejects(api().wpThemeDelete(name), /active theme/)
    directory.publish(plainTheme('1.1'))
    await done((await api().wpThemeUpdate(name)).job)
    assert.match((await person().ask('/')).text, /plain 1\.1/)
    directory.publish(plainTheme('1.2', 'nowhere();'))
    const broken = await ended((await api().wpThemeUpdate(name)).job)
    assert.equal(broken.error?.code, 'item_rolled_back')
    assert.match((await person().ask('/')).text, /plain 1\.1/)
  })

  it('wpCoreUpdate: to any newer version, and back when nothing starts any more', async () => {
    await done((await api().wpCoreUpdate({ params, body: { version: '50.0' } })).job)
    assert.equal((await inSite('cat license.txt')).trim(), 'fifty')
    assert.equal((await inSite('wp core version')).trim(), '50.0')
    const broken = await ended((await api().wpCoreUpdate({ params, body: { version: '60.0' } })).job)
    assert.deepEqual([broken.status, broken.error?.code], ['failed', 'item_rolled_back'])
    assert.equal((await inSite('wp core version')).trim(), '50.0')
    const [older] = await bulk([{ kind: 'core', action: 'update', version: core }])
    assert.deepEqual([older?.fate, older?.reason], ['skipped', 'WordPress is at 50.0 already.'])
    await assertHealthy()
  })

  it('backs the site up first, where something will be changed', async () => {
    const takenFor = async (action: 'activate' | 'deactivate') => {
      const body = {
        ops: [{ kind: 'plugin' as const, slug: 'premium', action }],
        backupFirst: true,
        healthCheck: false,
      }
      await house.succeeded((await api().wpBulk({ params, body })).job.id)
      const { items } = await api().siteBackupList({ params })
      return items.map(({ type }) => type)
    }
    assert.deepEqual(await takenFor('activate'), [])
    assert.deepEqual(await takenFor('deactivate'), ['pre_update'])
  })

  it('refuses what the panel cannot do, and changes nothing', async () => {
    const source = { kind: 'catalog' as const, id: '01890000-0000-7000-8000-0000000000ff' }
    await assert.rejects(api().wpPluginInstall({ params, body: { source } }), { code: 'not_found' })
  })

  it('whatever a plugin is called, it is only a name', async () => {
    const names = PAYLOADS.filter(name => ItemName.safeParse(name).success)
    const there = names.filter(name => /CANARY|^-r|\$\(|'"/.test(name))
    assert.ok(there.length > 4, String(there))
    const list = Buffer.from(JSON.stringify(there)).toString('base64')
    await inSite(`php -r 'foreach (json_decode(base64_decode("${list}")) as $name) {
      mkdir("wp-content/plugins/$name");
      file_put_contents("wp-content/plugins/$name/main.php", "<?php /* Plugin Name: $name */");
    }'`)
    const ops = (among: string[], action: TaskOp['action']) =>
      among.map((slug): TaskOp => ({ kind: 'plugin', slug, action }))
    const absent = names.filter(name => !there.includes(name))
    const items = await bulk([...ops(there, 'delete'), ...ops(absent, 'install')], false)
    assert.deepEqual(
      items.map(({ slug, fate }) => [slug, fate]),
      [...there.map(slug => [slug, 'done']), ...absent.map(slug => [slug, 'skipped'])],
    )
    const left = (await inSite('ls wp-content/plugins')).split('\n')
    assert.deepEqual([left.includes('good'), there.filter(name => left.includes(name))], [true, []])
    await assertNoCanary(server())
  })

  it('every task ends as done or as before, whatever befalls the panel', async () => {
    const { panel, ids } = house
    const look = () =>
      inSite('cat wp-content/plugins/good/*.php wp-content/themes/plain/style.css wp-includes/version.php; ls -A')
    const place = { slug: SLUG, serverId: ids[0] ?? 0, healthCheck: true, backupFirst: false }
    const exercised = { panel, look, limitMs: JOB_MS }
    const older = (file: string) => inSite(`sed -i "s/^Version: .*/Version: 1.0/" ${file}`)
    const plugin = { kind: 'plugin' as const, slug: 'good', action: 'update' as const }
    const theme = { kind: 'theme' as const, slug: 'plain', action: 'update' as const }
    const pluginFile = 'wp-content/plugins/good/good.php'
    directory.publish({ ...plainTheme('1.3') })
    const prepare = async (...ops: TaskOp[]) => {
      await older(pluginFile)
      await older('wp-content/themes/plain/style.css')
      await inSite(`sed -i "s/wp_version = .*/wp_version = '50.0';/" wp-includes/version.php`)
      const scope = panel.world.scope(systemActor('test'))
      await clearCode(scope, await getSite(scope.db, SLUG))
      return { ...place, ops }
    }
    // The other steps change nothing of the site, and a theme on its own is changed as a plugin is.
    const failAt = ['change']
    await exerciseJob('sqlite', wpPluginTask, { ...exercised, prepare: () => prepare(plugin), failAt })
    await exerciseJob('sqlite', wpBulkTask, { ...exercised, prepare: () => prepare(plugin, theme), failAt })
    await publishCore(mirror, archive, '51.0')
    const op: TaskOp = { kind: 'core', action: 'update', version: '51.0' }
    await exerciseJob('sqlite', wpCoreUpdate, { ...exercised, prepare: () => prepare(op), failAt })
    await assertHealthy()
  })
})
