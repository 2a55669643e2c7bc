import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TaskItem, TaskReport } from '#features/wordpress/tasks/contract.ts'
import type { Job } from '#platform/contract/job.ts'
import { plugin } from '#test/support/breaking-plugins.ts'
import { endedOn, logOn } from '#test/support/drive-panel.ts'
import { exerciseJob, variantsOf } from '#test/support/job-kit.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { uploadPlugin } from '#test/support/upload-plugin.ts'
import { packageOf } from '#test/support/wordpress-directory.ts'
import { WordpressPerson } from '#test/support/wordpress-person.ts'
import { pluginZipCheck } from './check/plugin.zip-check.ts'
import { serverSyncPlugins } from './sync/server.sync-plugins.ts'
import { listFiles, listZips } from './zip-store.ts'

const SLUG = 'shop'
const JOB_MS = 5 * 60_000

describe('plugins of the catalog on a server', { timeout: 20 * 60_000 }, () => {
  let house: SiteHouse
  const api = () => house.panel.as('full')
  const db = () => house.panel.foundation.database.db
  const server = () => house.servers[0] ?? assert.fail()
  const person = () => new WordpressPerson(server().address, `http://${SLUG}.${server().name}.localhost`)
  const ended = async (job: Job) => endedOn(house.panel, job, JOB_MS)
  const upload = async (version: string, code = '') => {
    const { plugin: made, job } = await uploadPlugin(house.panel, plugin('acme', version, code))
    await house.succeeded(job.id)
    await synced()
    return made.id
  }
  /** The zips are on the server. */
  const synced = async () => {
    const { items } = await api().jobList({ query: { type: ['server.syncPlugins'], limit: 1 } })
    if (items[0]) await house.succeeded(items[0].id)
  }
  const files = async () => (await server().exec(['ls', '/srv/fleetpress/plugins'])).stdout.split('\n').filter(Boolean)

  before(async () => {
    house = await siteHouse(1, { extraJobs: [pluginZipCheck, serverSyncPlugins].flatMap(variantsOf) })
  })
  after(async () => {
    await house?.[Symbol.asyncDispose]()
  })

  it('pluginUpload: the check hashes every file, and the zip is brought to the server once', async () => {
    const id = await upload('1.0')
    const { check, findings } = await api().pluginCheck({ params: { id } })
    assert.deepEqual([check?.status, check?.files, findings], ['unscanned', 2, []])
    assert.match(check?.problem ?? '', /malware rules didn't run/)
    const [zip] = await listZips(db(), id)
    assert.deepEqual([...(await listFiles(db(), zip?.id ?? '')).keys()].toSorted(), ['acme.php', 'lib/part.php'])
    assert.deepEqual(await files(), [`${zip?.sha256}.frames`])
    assert.equal((await server().exec(['ls', '/srv/fleetpress/zip-checks'])).stdout, '')
    assert.equal((await server().exec(['docker', 'ps', '-aq', '--filter', 'label=fleetpress.zip-check'])).stdout, '')
  })

  it('siteCreate: a new site gets the defaults of the catalog', async () => {
    const [{ id }] = (await api().pluginList()).items as [{ id: string }]
    await api().pluginUpdate({ params: { id }, body: { isDefault: true } })
    await house.create(SLUG)
    assert.match((await person().ask('/')).text, /<!-- acme 1\.0 -->/)
  })

  it('wpPluginUpdate: a newer zip is an update of the site, and a broken one is rolled back', async () => {
    await upload('1.1')
    const status = await api().wpStatus({ params: { slug: SLUG } })
    assert.equal(status.plugins.find(({ name }) => name === 'acme')?.update?.version, '1.1')
    const name = { params: { slug: SLUG, name: 'acme' } }
    await house.succeeded((await api().wpPluginUpdate(name)).job.id)
    assert.match((await person().ask('/')).text, /<!-- acme 1\.1 -->/)
    await upload('1.2', "throw new Error('broken on purpose');")
    const ops = [{ kind: 'plugin' as const, slug: 'acme', action: 'update' as const }]
    const job = await ended((await api().wpBulk({ params: { slug: SLUG }, body: { ops } })).job)
    const [item] = (job.result as TaskReport).items as [TaskItem]
    assert.deepEqual([item.fate, item.from, item.to], ['rolled-back', '1.1', '1.2'], await logOn(house.panel, job))
    assert.match((await person().ask('/')).text, /<!-- acme 1\.1 -->/)
  })

  it('a zip that lies of its sizes fails its check and is not installable', async () => {
    const forged = { ...plugin('forged', '1.0'), isCorrupt: true as const }
    assert.ok(packageOf(forged).length > 0)
    const { plugin: made, job } = await uploadPlugin(house.panel, forged)
    await house.succeeded(job.id)
    const { check } = await api().pluginCheck({ params: { id: made.id } })
    assert.equal(check?.status, 'failed')
    assert.match(check?.problem ?? '', /content is not what it says/)
    const body = { source: { kind: 'catalog' as const, id: made.id } }
    await assert.rejects(api().wpPluginInstall({ params: { slug: SLUG }, body }), { code: 'conflict' })
    await api().pluginDelete({ params: { id: made.id } })
    await synced()
  })

  it('plugin.zipCheck and server.syncPlugins: done twice or undone, they leave the world as it should be', async () => {
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
  })
})
