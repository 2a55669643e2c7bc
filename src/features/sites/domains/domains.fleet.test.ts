import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemActor } from '#app/world.ts'
import { type Visitor, visitor } from '#test/fleet/published.ts'
import type { Vps } from '#test/fleet/vps.ts'
import { endedOn } from '#test/support/drive-panel.ts'
import { exerciseJob, variantsOf } from '#test/support/job-kit.ts'
import { type Pebble, startPebble } from '#test/support/pebble.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { SOAK } from '#test/support/soak.ts'
import { attemptGoLives } from './go-lives.ts'
import { siteUpdateDomains } from './site.update-domains.ts'

const SLUG = 'hello'
const DEV = 'hello.vps1.localhost'
const WWW = 'www.shop.example.com'
const SHOP = 'shop.example.com'
const LOST = 'lost.example.com'
const READY = 'ready.example.com'
const LATE = 'late.example.com'
/** When everything has to be undone, and past the point of no return. */
const DEEPEST = ['check-answer', 'remove-old-names']

/** What plugins leave in the database, in every way of writing an address; `@home` is where the site is. */
const PLANTED = {
  plain: 'see @home/menu',
  emoji: '🍞 äö @home/💩/ŝ',
  json: String.raw`{"u":"http:\/\/${DEV}\/x","v":"\\\/"}`,
  relative: `//${DEV}/style.css`,
  encoded: `https://share.example/?u=http%3A%2F%2F${DEV}%2Fa`,
  deep: [{ url: '@home', sizes: [1, '@home/wp-content/uploads/a.jpg'] }],
  longer: `http://${DEV}.evil.example/ http://not-${DEV}/ http://${DEV}x/`,
  port: `http://${DEV}:8080/`,
  mail: `ada@${DEV}`,
}
/** As plugins do that serialize what WordPress serializes again. */
const serialized = (text: string): string => `a:1:{s:1:"u";s:${Buffer.byteLength(text)}:"${text}";}`

const planted = (address: string): string => {
  const twice = { ...PLANTED, twice: serialized(`${address}/🍞`) }
  return JSON.stringify(twice).replaceAll('@home', address)
}

describe('the names of a site on a real server', { timeout: 20 * 60_000 }, () => {
  let pebble: Pebble
  let house: SiteHouse
  let server: Vps
  let people: Visitor
  const params = { slug: SLUG }
  const api = () => house.panel.as('full')
  const wp = async (words: string[], input = '') => {
    const ended = await server.exec(['docker', 'exec', '-i', `fleetpress-site-${SLUG}`, 'wp', ...words], { input })
    assert.equal(ended.exitCode, 0, ended.stderr)
    return ended.stdout.trim()
  }
  const put = async (domains: string[]) =>
    house.succeeded((await api().siteDomainsUpdate({ params, body: { domains } })).job.id)
  const led = async (asked: Promise<{ status: number; headers: { location?: string | undefined } }>) => {
    const { status, headers } = await asked
    return [status, headers.location]
  }
  const query = (sql: string) => wp(['db', 'query', sql, '--skip-column-names'])
  const guids = () => query('SELECT guid FROM wp_posts ORDER BY ID')
  /** Visitors who come all the time, under the old name and the new; how often each status was answered. */
  const watch = () => {
    const [old, fresh] = [new Map<number, number>(), new Map<number, number>()]
    const count = async (statuses: Map<number, number>, hostname: string) => {
      const { status } = await people.http(hostname)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    const over = new AbortController()
    const visits = (async () => {
      while (!over.signal.aborted) {
        await Promise.all([count(old, DEV), count(fresh, WWW)])
        await sleep(20)
      }
    })()
    return {
      end: async () => {
        over.abort()
        await visits
        return { old, fresh }
      },
    }
  }
  /** All that the job may change, without ids and times. */
  const look = async () => {
    const { db } = house.panel.foundation.database
    const shell = async (text: string) => (await server.exec(['bash', '-c', text])).stdout.trim().split('\n')
    return {
      names: await db.selectFrom('site_hostname').selectAll().orderBy('hostname').execute(),
      certificates: await db.selectFrom('certificate').select(['names', 'status']).orderBy('names').execute(),
      mode: (await api().siteGet({ params })).domainMode,
      pushed: (await shell('ls /srv/fleetpress/edge/certs')).length,
      edge: await shell(`grep -hE 'server_name|return 30' /srv/fleetpress/edge/current/sites/${SLUG}.conf`),
      options: await query(
        'SELECT option_name, option_value FROM wp_options WHERE option_name IN ("home", "siteurl", "planted")',
      ),
      posts: await query('SELECT ID, guid, MD5(post_content) FROM wp_posts ORDER BY ID'),
    }
  }

  before(async () => {
    pebble = await startPebble({ httpPort: 80 })
    house = await siteHouse(1, { env: { DNS_SERVERS: pebble.nameServer }, extraJobs: variantsOf(siteUpdateDomains) })
    server = house.servers[0] ?? assert.fail()
    await pebble.leadTo(server.address)
    await pebble.leadName(LOST, '127.0.0.1')
    people = visitor(server.address, await pebble.rootPem())
    await api().settingsUpdate({ body: { certificates: { directoryUrl: pebble.directoryUrl } } })
    await api().serverUpdate({ params: { id: house.ids[0] ?? 0 }, body: { publicIp: server.address } })
    await house.create(SLUG)
    await wp(['option', 'update', 'planted', '--format=json'], planted(`http://${DEV}`))
  })
  after(async () => {
    await house?.[Symbol.asyncDispose]()
    await pebble?.stop()
  })

  it('a domain is added with a certificate and points to the dev name', async () => {
    const result = await put([DEV, SHOP])
    assert.deepEqual(result, { url: `http://${DEV}`, hostnames: [DEV, SHOP], changed: true })
    assert.deepEqual(await led(people.https(SHOP, { path: '/a?b=c' })), [301, `http://${DEV}/a?b=c`])
    assert.match((await people.https(SHOP)).issuer, /Pebble/)
    assert.equal((await people.http(DEV)).status, 200)
    assert.equal((await api().siteGet({ params })).domainMode, 'dev')
  })

  it('are shown with what DNS says, whether it is true, and the certificate', async () => {
    const { serverAddresses, items } = await api().siteDomains({ params })
    assert.deepEqual(serverAddresses, [server.address])
    const [dev, shop] = items
    assert.deepEqual([dev?.primary, dev?.dev, dev?.pointsHere, dev?.certificate], [true, true, false, null])
    assert.deepEqual([shop?.dns.a, shop?.dns.problem, shop?.pointsHere], [[server.address], null, true])
    assert.equal(shop?.certificate?.status, 'valid')
    assert.match(shop?.certificate?.issuer ?? '', /Pebble/)
    assert.ok((shop?.certificate?.expiresAt ?? 0) > Date.now())
    await pebble.leadName(SHOP, '192.0.2.99')
    const [, astray] = (await api().siteDomains({ params })).items
    assert.deepEqual([astray?.dns.a, astray?.pointsHere], [['192.0.2.99'], false])
    await pebble.leadName(SHOP)
  })

  it('stay as they were when there is no certificate, and the job says which record to fix', async () => {
    const before = await look()
    const { job } = await api().siteGoLive({ params, body: { domains: [WWW, LOST] } })
    const ended = await endedOn(house.panel, job, 120_000)
    assert.equal(ended.status, 'failed')
    assert.match(
      ended.error?.message ?? '',
      /nothing was changed\..*lost\.example\.com points to 127\.0\.0\.1\. Point its A record to/,
    )
    assert.deepEqual(await look(), before)
    assert.equal((await people.http(DEV)).status, 200)
  })

  it('go live: every address is rewritten, the dev name redirects, the old certificate is gone', async t => {
    const before = await guids()
    const began = performance.now()
    const { job } = await api().siteGoLive({ params, body: { domains: [WWW, SHOP], keepDevAlias: true } })
    const seen = watch()
    await house.succeeded(job.id)
    const { old, fresh } = await seen.end()
    assert.deepEqual(new Set(old.keys()), new Set([200, 301]), 'visitors of the dev name')
    assert.deepEqual(new Set(fresh.keys()), new Set([301, 302, 421]), 'visitors of the new name')
    t.diagnostic(`${old.get(200)} visits at the old name, ${fresh.get(302)} led from the new one to it`)
    t.diagnostic(`live in ${((performance.now() - began) / 1000).toFixed(1)} s`)
    const site = await api().siteGet({ params })
    assert.deepEqual([site.domainMode, site.url, site.hostnames], ['live', `https://${WWW}`, [WWW, SHOP, DEV]])
    const page = await people.https(WWW)
    assert.equal(page.status, 200)
    assert.ok(!page.text.includes(DEV), 'the front page still names the dev name')
    for (const asked of [
      people.https(SHOP, { path: '/a?b=c' }),
      people.http(DEV, { path: '/a?b=c' }),
      people.http(WWW, { path: '/a?b=c' }),
    ])
      assert.deepEqual(await led(asked), [301, `https://${WWW}/a?b=c`])
    assert.equal(await wp(['option', 'get', 'home']), `https://${WWW}`)
    const expected = planted(`https://${WWW}`)
      .replace(String.raw`http:\\/\\/${DEV}`, String.raw`https:\\/\\/${WWW}`)
      .replace(`//${DEV}/style`, `//${WWW}/style`)
      .replace(`http%3A%2F%2F${DEV}`, `https%3A%2F%2F${WWW}`)
    assert.deepEqual(JSON.parse(await wp(['option', 'get', 'planted', '--format=json'])), JSON.parse(expected))
    assert.equal(await guids(), before)
    const { certificates, pushed } = await look()
    assert.deepEqual([certificates.map(row => row.names), pushed], [[JSON.stringify([SHOP, WWW])], 1])
  })

  it('that are the same already are left alone, and the job says so', async () => {
    const before = await look()
    assert.deepEqual(await put([WWW, SHOP, DEV]), {
      url: `https://${WWW}`,
      hostnames: [WWW, SHOP, DEV],
      changed: false,
    })
    assert.deepEqual(await look(), before)
  })

  it('are given up with their certificate', async () => {
    await put([WWW])
    assert.equal((await people.http(DEV)).status, 421)
    assert.equal((await people.http(SHOP)).status, 421)
    await assert.rejects(people.https(SHOP))
    assert.equal((await people.https(WWW)).status, 200)
    const { certificates, pushed } = await look()
    assert.deepEqual([certificates.map(row => row.names), pushed], [[JSON.stringify([WWW])], 1])
  })

  const createLive = async (slug: string, domains: string[]) => {
    const account = { adminUser: 'ada', adminEmail: 'ada@example.com' }
    const asked = { title: slug, slug, domainMode: 'live' as const, domains, serverId: house.ids[0] ?? 0, ...account }
    const { job } = await api().siteCreate({ body: asked })
    return (await house.succeeded(job.id)) as { url: string }
  }
  const goLives = () => attemptGoLives(house.panel.world.scope(systemActor('test')))

  it('of a new site are served from the beginning where DNS points here already', async () => {
    assert.equal((await createLive('ready', [READY])).url, `https://${READY}`)
    assert.equal((await people.https(READY)).status, 200)
    const { domainMode, hostnames } = await api().siteGet({ params: { slug: 'ready' } })
    assert.deepEqual([domainMode, hostnames], ['live', [READY]])
  })

  it('of a new site may come later: it is created at its dev name, and goes live by itself', async () => {
    const slug = { params: { slug: 'late' } }
    await pebble.leadName(LATE, '192.0.2.99')
    assert.equal((await createLive('late', [LATE])).url, 'http://late.vps1.localhost')
    assert.equal((await people.http('late.vps1.localhost')).status, 200)
    await goLives()
    const { attention } = await api().overview()
    const waiting = attention.find(({ id }) => id === 'site-waiting:late')
    assert.equal(waiting?.detail, `${LATE} points to 192.0.2.99. Point its A record to ${server.address}.`)
    assert.equal((await api().siteDomains(slug)).goLive?.records[0]?.value, server.address)
    await pebble.leadName(LATE)
    await pebble.down()
    await goLives()
    const failed = (await api().siteGet(slug)).jobId ?? assert.fail('DNS is right, so it is tried')
    await endedOn(house.panel, (await api().jobGet({ params: { id: failed } })).job, 180_000)
    assert.equal((await people.http('late.vps1.localhost')).status, 200, 'without a certificate it stays where it is')
    const { goLive } = await api().siteDomains(slug)
    assert.ok((goLive?.nextAttemptAt ?? 0) > Date.now(), 'it is tried again after a pause')
    await pebble.up()
    await house.panel.foundation.database.db.updateTable('site_go_live').set({ next_attempt_at: 1 }).execute()
    await goLives()
    await house.succeeded((await api().siteGet(slug)).jobId ?? assert.fail())
    // The authority came back with another root.
    const later = visitor(server.address, await pebble.rootPem())
    assert.equal((await later.https(LATE)).status, 200)
    assert.equal((await api().siteDomains(slug)).goLive, null)
    assert.ok(!(await api().overview()).attention.some(({ id }) => id === 'site-waiting:late'))
  })

  it('site.updateDomains: changes all or nothing, and every step may run twice', () =>
    exerciseJob('sqlite', siteUpdateDomains, {
      panel: house.panel,
      ...(SOAK ? {} : { failAt: DEEPEST }),
      limitMs: 3 * 60_000,
      prepare: async () => {
        await put([DEV])
        return { slug: SLUG, serverId: house.ids[0] ?? 0, hostnames: [SHOP, DEV], domainMode: 'live' as const }
      },
      look,
    }))
})
