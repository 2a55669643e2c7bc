import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import type { TaskOp } from '#features/wordpress/tasks/contract.ts'
import { endedOn, logOn } from '#test/support/drive-panel.ts'
import { type LicenseServer, licensedPlugin, startLicenseServer } from '#test/support/license-server.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { uploadPlugin } from '#test/support/upload-plugin.ts'
import { WordpressPerson } from '#test/support/wordpress-person.ts'

const COUNT = 10
const JOB_MS = 15 * 60_000
const KEY = 'LICENSE-4711'
const SITES = Array.from({ length: COUNT }, (_, at) => ({ slug: `shop-${at}`, server: at % 2 }))
const [BROKEN = assert.fail(), REVOKED = assert.fail()] = SITES
/** The first of the worked recipes. */
const RECIPE = /```json\n([^]*?)```/.exec(readFileSync(new URL('../../../docs/recipes.md', import.meta.url), 'utf8'))

describe(`a premium plugin on ${COUNT} sites of two servers`, { timeout: 60 * 60_000 }, () => {
  let house: SiteHouse
  let licenses: LicenseServer
  let recipeId: string
  const api = () => house.panel.as('full')
  const urlOf = ({ slug, server }: (typeof SITES)[number]) => `http://${slug}.${house.servers[server]?.name}.localhost`
  const pageOf = async (site: (typeof SITES)[number]) =>
    (await new WordpressPerson(house.servers[site.server]?.address ?? '', urlOf(site)).ask('/')).text
  const inSite = ({ slug, server }: (typeof SITES)[number], ...words: string[]) =>
    house.servers[server]?.exec(['docker', 'exec', `fleetpress-site-${slug}`, ...words])
  const synced = async () => {
    const { items } = await api().jobList({ query: { type: 'server.syncPlugins', limit: 2 } })
    for (const { id } of items) await house.succeeded(id)
  }
  const upload = async (version: string, code = '') => {
    const address = `http://${house.servers[0]?.address.replace(/\d+$/, '1')}:${licenses.port}`
    const { job } = await uploadPlugin(house.panel, licensedPlugin(version, address, code))
    await house.succeeded(job.id)
    await synced()
  }
  const bulk = async (actions: readonly ('install' | 'activate' | 'update')[]) => {
    const ops = actions.map(
      (action): TaskOp => ({
        kind: 'plugin',
        slug: 'acme',
        action,
        ...(action === 'install' && { from: 'catalog' }),
      }),
    )
    const targets = SITES.map(({ slug }) => ({ siteSlug: slug, ops }))
    const { batchId, jobs } = await api().wpFleetBulk({ body: { targets, backupFirst: false } })
    for (const job of jobs) await endedOn(house.panel, job, JOB_MS)
    return api().wpBatch({ params: { id: batchId } })
  }
  const applyToAll = async (hook: 'afterInstall' | 'verify') => {
    const started = await Promise.all(
      SITES.map(async ({ slug }) => (await api().wpRecipesApply({ params: { slug }, body: { recipeId, hook } })).job),
    )
    for (const job of started) {
      const over = await endedOn(house.panel, job, JOB_MS)
      assert.equal(over.status, 'succeeded', await logOn(house.panel, over))
    }
  }
  const statuses = async () =>
    Object.fromEntries(
      (await api().recipeSites({ params: { id: recipeId } })).items.map(({ siteSlug, status }) => [siteSlug, status]),
    )

  before(async () => {
    licenses = await startLicenseServer(KEY, COUNT)
    house = await siteHouse(2)
    await Promise.all(
      [0, 1].map(async server => {
        for (const { slug } of SITES.filter(each => each.server === server)) await house.create(slug, house.ids[server])
      }),
    )
  })
  after(async () => {
    await house?.[Symbol.asyncDispose]()
    licenses?.close()
  })

  it('goes to every site from its zip, which each server gets once', async () => {
    await upload('1.0')
    const { rows } = await bulk(['install', 'activate'])
    assert.deepEqual(
      rows.flatMap(({ items }) => items.map(({ fate }) => fate)),
      Array(2 * COUNT).fill('done'),
    )
    for (const site of SITES) assert.match(await pageOf(site), /<!-- acme 1\.0 -->/, site.slug)
    for (const server of house.servers)
      assert.equal((await server.exec(['ls', '/srv/fleetpress/plugins'])).stdout.trim().split('\n').length, 1)
  })

  it('is licensed everywhere by one recipe', async () => {
    recipeId = (await api().recipeImport({ body: JSON.parse(RECIPE?.[1] ?? '') })).id
    await api().recipeInputs({ params: { id: recipeId }, body: { values: { key: KEY } } })
    await applyToAll('afterInstall')
    assert.equal(licenses.seats.size, COUNT)
    assert.deepEqual(await statuses(), Object.fromEntries(SITES.map(({ slug }) => [slug, 'valid'])))
  })

  it('is updated everywhere by a newer zip, and the one site that it breaks is rolled back alone', async () => {
    await inSite(BROKEN, 'wp', 'option', 'update', 'acme_breaks', '1')
    await upload('1.1', "if (get_option('acme_breaks')) throw new Error('broken on purpose');")
    const { rows } = await bulk(['update'])
    for (const site of SITES) {
      const [item] = rows.find(({ siteSlug }) => siteSlug === site.slug)?.items ?? []
      assert.equal(item?.fate, site === BROKEN ? 'rolled-back' : 'done', site.slug)
      assert.match(await pageOf(site), site === BROKEN ? /<!-- acme 1\.0 -->/ : /<!-- acme 1\.1 -->/, site.slug)
    }
  })

  it('verify finds the one license that was revoked, and Home says so', async () => {
    licenses.revoked.add(urlOf(REVOKED))
    await applyToAll('verify')
    const expected = SITES.map(site => [site.slug, site === REVOKED ? 'invalid' : 'valid'])
    assert.deepEqual(await statuses(), Object.fromEntries(expected))
    const { attention } = await api().overview()
    assert.ok(attention.some(({ title }) => title === '1 site has a plugin license that is not valid'))
  })
})
