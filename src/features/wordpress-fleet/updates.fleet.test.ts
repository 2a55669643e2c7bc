import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { listKept } from '#drivers/wordpress-org/core-cache.ts'
import type { TaskItem, TaskOp, TaskReport } from '#features/wordpress/tasks/contract.ts'
import { refreshFeed } from '#features/wordpress/vulnerabilities/refresh-feed.ts'
import { TERMINAL } from '#platform/contract/job.ts'
import { NEW_PLUGINS, OLD_PLUGINS, premiumPlugin } from '#test/support/breaking-plugins.ts'
import { endedOn } from '#test/support/drive-panel.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { SOAK } from '#test/support/soak.ts'
import { askMirror, type Directory, packageOf, serveDirectory } from '#test/support/wordpress-directory.ts'
import { type Mirror, startMirror } from '#test/support/wordpress-org.ts'
import { WordpressPerson } from '#test/support/wordpress-person.ts'

const COUNT = SOAK ? 20 : 4
const JOB_MS = 15 * 60_000
/** Every site has the first, and one of the others. */
const FIRST = 'good'
const OTHERS = ['fatal', 'admin-only', 'corrupt', 'needs-php']
const FATES: Record<string, TaskItem['fate']> = {
  good: 'done',
  fatal: 'rolled-back',
  'admin-only': 'rolled-back',
  corrupt: 'failed',
  'needs-php': 'skipped',
}

const range = { from_version: '*', from_inclusive: true, to_version: '1.1', to_inclusive: false }
const software = [{ type: 'plugin', slug: 'good', affected_versions: { any: range }, patched_versions: ['1.1'] }]
const FEED = { a: { id: 'a', title: 'Good < 1.1', software, references: [], cvss: { score: 9, rating: 'Critical' } } }

interface Fleeted {
  readonly slug: string
  readonly server: number
  readonly plugins: readonly string[]
}
const SITES: readonly Fleeted[] = Array.from({ length: COUNT }, (_, at) => ({
  slug: `site-${at}`,
  server: at % 2,
  plugins: [FIRST, OTHERS[Math.floor(at / 2) % 2 === 0 ? at % 2 : 2 + (at % 2)] ?? ''],
}))

interface Listed {
  name: string
  status: string
  version: string
  update_version: string
}

describe(`updates of ${COUNT} sites on two servers`, { timeout: SOAK ? 3_600_000 : 15 * 60_000 }, () => {
  let house: SiteHouse
  let mirror: Mirror
  let directory: Directory
  let address: string
  const api = () => house.panel.as('full')
  const vpsOf = ({ server }: Fleeted) => house.servers[server] ?? assert.fail()
  const wp = async (site: Fleeted, ...words: string[]) => {
    const ended = await vpsOf(site).exec(['docker', 'exec', `fleetpress-site-${site.slug}`, 'wp', ...words])
    assert.equal(ended.exitCode, 0, `${site.slug}: ${ended.stdout}${ended.stderr}`)
    return ended.stdout
  }
  const listed = async (site: Fleeted) => {
    const fields = '--fields=name,status,version,update_version'
    const all = JSON.parse(await wp(site, 'plugin', 'list', '--format=json', fields)) as Listed[]
    return all.filter(({ name }) => name in FATES)
  }
  /** Site by site on each server, the servers side by side. */
  const onEach = (act: (site: Fleeted) => Promise<unknown>) =>
    Promise.all(
      [0, 1].map(async server => {
        for (const site of SITES.filter(each => each.server === server)) await act(site)
      }),
    )
  const bulk = async (opsOf: (site: Fleeted) => TaskOp[], healthCheck: boolean) => {
    const targets = SITES.map(site => ({ siteSlug: site.slug, ops: opsOf(site) }))
    const { batchId, jobs, skipped } = await api().wpFleetBulk({ body: { targets, backupFirst: false, healthCheck } })
    assert.deepEqual(skipped, [])
    for (const job of jobs) await endedOn(house.panel, job, JOB_MS)
    return api().wpBatch({ params: { id: batchId } })
  }

  before(async () => {
    mirror = await startMirror('0.0.0.0')
    directory = serveDirectory(mirror)
    house = await siteHouse(2)
    const [kept] = await listKept(`${house.panel.config.dataDir}/cache`)
    directory.offerCore(kept?.version ?? assert.fail())
    address = await askMirror(house.panel, house.servers[0] ?? assert.fail(), mirror)
    await api().settingsUpdate({ body: { vulnerabilities: { feedUrl: `${mirror.api}/feed` } } })
    mirror.answers.set('/feed', JSON.stringify(FEED))
    for (const item of OLD_PLUGINS) directory.publish(item)
    await onEach(({ slug, server }) => house.create(slug, house.ids[server]))
    const plugin = (slug: string) =>
      (['install', 'activate'] as const).map((action): TaskOp => ({ kind: 'plugin', slug, action }))
    const { counts } = await bulk(({ plugins }) => plugins.flatMap(plugin), false)
    assert.equal(counts.done, 4 * COUNT)
    for (const item of NEW_PLUGINS) directory.publish(item)
  })
  after(async () => {
    await house?.[Symbol.asyncDispose]()
    mirror?.close()
  })

  it('wpScan, wpInventory and wpVulnerabilities: say what wp itself says on every site', async () => {
    await onEach(site => wp(site, 'eval', 'delete_site_transient("update_plugins"); wp_update_plugins();'))
    await house.succeeded((await api().wpScan()).job.id)
    await refreshFeed(house.panel.world.scope(systemActor('test')))
    const { items } = await api().wpInventory({ query: {} })
    await onEach(async site => {
      const known = items
        .flatMap(({ slug, sites }) => sites.filter(({ siteSlug }) => siteSlug === site.slug).map(at => ({ slug, at })))
        .filter(({ slug }) => slug in FATES)
        .map(({ slug, at }) => [slug, at.status, at.version, at.update ?? ''].join(' '))
      const said = (await listed(site)).map(each =>
        [each.name, each.status, each.version, each.update_version].join(' '),
      )
      assert.deepEqual(known.toSorted(), said.toSorted(), site.slug)
      assert.equal(said.length, 2, site.slug)
    })
    const vulnerable = await api().wpVulnerabilities({ query: {} })
    assert.deepEqual(
      vulnerable.items.map(({ id, sites }) => [id, sites.length]),
      [['a', COUNT]],
    )
  })

  it('wpFleetBulk: updates what survives on every site, rolls back the rest alone, and names the fate of each', async () => {
    const all = [FIRST, ...OTHERS].map((slug): TaskOp => ({ kind: 'plugin', slug, action: 'update' }))
    const { batch, rows } = await bulk(() => all, true)
    assert.notEqual(batch.finishedAt, null)
    await onEach(async site => {
      const row = rows.find(({ siteSlug }) => siteSlug === site.slug)
      const fates = row?.items.map(({ slug, fate }) => `${slug} ${fate}`)
      const wanted = [FIRST, ...OTHERS].map(slug => `${slug} ${site.plugins.includes(slug) ? FATES[slug] : 'skipped'}`)
      assert.deepEqual(fates, wanted, JSON.stringify(row))
      const versions = (await listed(site)).map(({ name, version }) => `${name} ${version}`)
      assert.deepEqual(
        versions.toSorted(),
        site.plugins.map(slug => `${slug} ${slug === FIRST ? '1.1' : '1.0'}`).toSorted(),
      )
      const { address, name } = vpsOf(site)
      const page = await new WordpressPerson(address, `http://${site.slug}.${name}.localhost`).ask('/')
      assert.equal(page.status, 200, page.text.slice(0, 300))
    })
    assert.deepEqual((await api().wpVulnerabilities({ query: {} })).items, [])
  })

  it('a package whose author is slow holds up its own site, and no other one of the server', async () => {
    const [slow, quick] = SITES.filter(({ server }) => server === 0).map(({ slug }) => slug)
    assert.ok(slow && quick)
    const packageUrl = `${address}/author/premium.zip`
    directory.publish(premiumPlugin('1.0', packageUrl))
    const op = (slug: string, action: TaskOp['action']): TaskOp => ({ kind: 'plugin', slug, action })
    const ops = [op('premium', 'install'), op('premium', 'activate')]
    await house.succeeded((await api().wpBulk({ params: { slug: slow }, body: { ops, healthCheck: false } })).job.id)
    const held: ServerResponse[] = []
    mirror.answers.set('/author/premium.zip', response => held.push(response))
    const targets = [
      { siteSlug: slow, ops: [op('premium', 'update'), op(FIRST, 'deactivate')] },
      { siteSlug: quick, ops: [op(FIRST, 'deactivate')] },
    ]
    const { jobs } = await api().wpFleetBulk({ body: { targets, backupFirst: false } })
    const [waiting, passing] = targets.map(({ siteSlug }) => jobs.find(job => job.siteSlug === siteSlug))
    assert.ok(waiting && passing)
    assert.equal((await endedOn(house.panel, passing, JOB_MS)).status, 'succeeded')
    const { job } = await api().jobGet({ params: { id: waiting.id }, query: {} })
    assert.equal(TERMINAL.includes(job.status), false, 'its author has given out nothing yet')
    assert.equal(held.length, 1)
    held[0]?.end(packageOf(premiumPlugin('1.1', packageUrl)))
    const { result } = await endedOn(house.panel, waiting, JOB_MS)
    const fates = (result as TaskReport).items.map(({ slug, fate }) => `${slug} ${fate}`)
    assert.deepEqual(fates, [`${FIRST} done`, 'premium done'])
    assert.equal((await wp(SITES[0] ?? assert.fail(), 'plugin', 'get', 'premium', '--field=version')).trim(), '1.1')
  })
})
