import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Vps } from '#test/fleet/vps.ts'
import { shellOn } from '#test/support/fault-house.ts'
import { type Pebble, startPebble } from '#test/support/pebble.ts'
import { lookAtSites, type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { trust } from '#test/support/smtp.ts'
import { WordpressPerson } from '#test/support/wordpress-person.ts'

const SLUG = 'hello'
const DOMAIN = 'shop.example.com'
const params = { slug: SLUG }
/** The smallest picture there is. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const FILES = `cd /srv/fleetpress/sites/${SLUG}/html && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum`
const TABLES = ['posts', 'postmeta', 'users', 'usermeta', 'terms', 'comments'].map(name => `wp_${SLUG}.wp_${name}`)
const CONTENT = `docker exec --user root fleetpress-database mariadb -N -e 'checksum table ${TABLES.join(', ')} extended'`

describe('the whole life of a site, through the API alone', { timeout: 20 * 60_000 }, () => {
  let pebble: Pebble
  let house: SiteHouse
  let first: Vps
  let second: Vps
  let nothing: string[][]
  let person: WordpressPerson
  let picture: string
  const api = () => house.panel.as('full')
  const done = async (asked: Promise<{ job: { id: string } }>) => house.succeeded((await asked).job.id)
  const everywhere = () => Promise.all([first, second].map(lookAtSites))
  const sees = async (path = '/a-page/') => {
    const page = await person.ask(path)
    assert.equal(page.status, 200, page.text.slice(0, 500))
    return page.text
  }

  before(async () => {
    pebble = await startPebble({ httpPort: 80 })
    house = await siteHouse(2, { env: { DNS_SERVERS: pebble.nameServer } })
    const [one, two] = house.servers
    assert.ok(one && two)
    first = one
    second = two
    await pebble.leadTo(first.address)
    // As with FLEETPRESS_CA_FILE: the old server checks who it forwards to.
    trust({ cert: await pebble.rootPem() })
    await api().settingsUpdate({ body: { certificates: { directoryUrl: pebble.directoryUrl } } })
    nothing = await everywhere()
  })
  after(async () => {
    await house?.[Symbol.asyncDispose]()
    await pebble?.stop()
  })

  it('begins with a WordPress that answers, and a password that only those who manage see', async () => {
    const body = { title: `It's "Hello" & <b>`, slug: SLUG, domainMode: 'dev', phpVersion: '8.2' } as const
    const account = { adminUser: 'ada', adminEmail: 'ada@example.com', serverId: house.ids[0] }
    const { job } = await house.panel.as('manage').siteCreate({ body: { ...body, ...account } })
    const { url, adminPassword } = (await house.succeeded(job.id)) as { url: string; adminPassword: string }
    const shown = await house.panel.as('read-only').jobGet({ params: { id: job.id }, query: {} })
    assert.deepEqual(shown.job.result, { url, adminUser: 'ada', adminPassword: null })
    const { logs } = await api().jobGet({ params: { id: job.id }, query: {} })
    assert.ok(!JSON.stringify(logs).includes(adminPassword))
    person = new WordpressPerson(first.address, url, await pebble.rootPem())
    assert.match(await sees('/'), /It(?:&#8217;|’|&#039;)s/)
    assert.equal((await person.signIn('ada', 'wrong')).status, 200)
    const accepted = await person.signIn('ada', adminPassword)
    assert.equal(accepted.status, 302, accepted.text.slice(0, 500))
    assert.match(String(accepted.headers['set-cookie']), /wordpress_logged_in/)
    const site = await house.panel.as('read-only').siteGet({ params })
    assert.equal(site.status, 'running')
    assert.match(site.wordpressVersion ?? '', /^\d+\.\d+/)
  })

  it('gets a page with a picture', async () => {
    picture = new URL(await person.upload('bread.png', PICTURE)).pathname
    const link = await person.publish('A page', `<p>Fresh bread</p><img src="${picture}">`)
    assert.equal(new URL(link).pathname, '/a-page/')
    assert.match(await sees(), /Fresh bread/)
    assert.equal((await person.ask(picture)).headers['content-type'], 'image/png')
  })

  it('runs on every PHP there is', async () => {
    for (const version of ['8.4', '7.4', '8.2'] as const) {
      await done(api().sitePhp({ params, body: { version } }))
      const found = await shellOn(first)(`docker exec fleetpress-site-${SLUG} php -r 'echo PHP_VERSION;'`)
      assert.ok(found.startsWith(version), found)
      assert.match(await sees(), /Fresh bread/)
    }
  })

  it('stops, starts and restarts', async () => {
    await done(api().siteStop({ params }))
    assert.equal((await person.ask('/')).status, 503)
    assert.equal((await api().siteGet({ params })).status, 'stopped')
    await done(api().siteStart({ params }))
    await done(api().siteRestart({ params }))
    assert.match(await sees(), /Fresh bread/)
  })

  it('is left alone when it is as it should be, and fixed when it is not', async () => {
    const idOf = () => shellOn(first)(`docker inspect -f '{{.Id}}' fleetpress-site-${SLUG}`)
    const id = await idOf()
    assert.deepEqual(await done(api().siteReconcile({ params })), { change: 'none', adminPassword: null })
    assert.equal(await idOf(), id)
    await shellOn(first)(`docker rm -f fleetpress-site-${SLUG}`)
    const { jobs } = await api().siteReconcileAll({ body: {} })
    assert.equal(jobs.length, 1)
    assert.deepEqual(await house.succeeded(jobs[0]?.id ?? ''), { change: 'created', adminPassword: null })
    assert.match(await sees(), /Fresh bread/)
  })

  it('goes live on a domain with a certificate', async () => {
    await done(api().siteGoLive({ params, body: { domains: [DOMAIN], keepDevAlias: true } }))
    const moved = await person.ask('/a-page/?x=1')
    assert.deepEqual([moved.status, moved.headers.location], [301, `https://${DOMAIN}/a-page/?x=1`])
    person = person.at(first.address, `https://${DOMAIN}`)
    assert.match(await sees(), /Fresh bread/)
    const { items } = await api().siteDomains({ params })
    assert.equal(items.find(({ hostname }) => hostname === DOMAIN)?.certificate?.status, 'valid')
  })

  it('moves to another server while people read it, and loses nothing', async t => {
    const contentOf = async (server: Vps) => [await shellOn(server)(FILES), await shellOn(server)(CONTENT)]
    const before = await contentOf(first)
    assert.match(before.join(''), /^[0-9a-f]{64} .*wp_posts\t\d+/s)
    const reading = new AbortController()
    const statuses = new Map<number, number>()
    const read = async () => {
      while (!reading.signal.aborted) {
        const { status } = await person.ask('/a-page/')
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        await sleep(50)
      }
    }
    const readers = [read(), read(), read()]
    try {
      await done(api().siteMove({ params, body: { targetServerId: house.ids[1] ?? 0 } }))
    } finally {
      reading.abort()
    }
    await Promise.all(readers)
    t.diagnostic(`${statuses.get(200)} pages read in the meantime`)
    assert.deepEqual([...statuses.keys()], [200])
    assert.deepEqual(await contentOf(second), before)
  })

  it('is gone from the old server once DNS points to the new one and the move is finalized', async () => {
    await assert.rejects(done(api().siteMoveFinalize({ params })), /shop\.example\.com still points to the old server/)
    await pebble.leadTo(second.address)
    await done(api().siteMoveFinalize({ params }))
    assert.deepEqual(await lookAtSites(first), nothing[0])
    person = person.at(second.address, `https://${DOMAIN}`)
    assert.match(await sees(), /Fresh bread/)
    assert.equal((await person.ask(picture)).headers['content-type'], 'image/png')
  })

  it('ends without a trace', async () => {
    const id = house.ids[1] ?? 0
    await assert.rejects(api().serverDelete({ params: { id }, query: {} }), /has 1 site\./)
    await done(api().siteDelete({ params, query: {} }))
    assert.deepEqual(await everywhere(), nothing)
    for (const { address } of [first, second])
      assert.equal((await person.at(address, `http://${DOMAIN}`).ask('/')).status, 421)
    assert.deepEqual((await api().siteList({ query: {} })).items, [])
    const certificates = await shellOn(second)('ls -A --ignore=.lock /srv/fleetpress/edge/certs')
    assert.equal(certificates, '')
    const { db } = house.panel.foundation.database
    for (const table of ['site', 'site_hostname', 'certificate', 'site_traffic', 'site_traffic_path'] as const)
      assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [], table)
  })
})
