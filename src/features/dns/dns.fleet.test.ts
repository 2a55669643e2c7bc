import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import { siteUpdateDomains } from '#features/sites/domains/site.update-domains.ts'
import { type Visitor, visitor } from '#test/fleet/published.ts'
import type { Vps } from '#test/fleet/vps.ts'
import { endedOn, logOn } from '#test/support/drive-panel.ts'
import { exerciseJob, variantsOf } from '#test/support/job-kit.ts'
import { type Knot, startKnot } from '#test/support/knot.ts'
import { type Pebble, startPebble } from '#test/support/pebble.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { trust } from '#test/support/smtp.ts'
import { SOAK } from '#test/support/soak.ts'

const HELLO = 'hello.dev.example.com'
const SECOND = 'second.dev.example.com'
const SHOP = 'shop.example.com'
const WWW = 'www.shop.example.com'
const THEIRS = 'theirs.example.com'
const ELSEWHERE = '198.51.100.7'
const WILDCARD = '*.dev.example.com'

describe('DNS that the panel manages, with a real name server and authority', { timeout: 15 * 60_000 }, () => {
  let knot: Knot
  let pebble: Pebble
  let house: SiteHouse
  let server: Vps
  let next: Vps
  let rootPem: string
  let people: Visitor
  const api = () => house.panel.as('full')
  const jobOf = async (id: string) => (await api().jobGet({ params: { id } })).job
  /** The names of the certificate that visitors get. */
  const certified = async (servername: string): Promise<string> => {
    const socket = connect({ host: server.address, port: 443, servername, ca: rootPem })
    await once(socket, 'secureConnect')
    const names = socket.getPeerCertificate().subjectaltname ?? ''
    socket.destroy()
    return names
  }
  const certificates = async () => {
    const rows = await house.panel.foundation.database.db.selectFrom('certificate').select('names').execute()
    return rows.flatMap(({ names }) => JSON.parse(names) as string[]).toSorted()
  }
  const challenges = () => knot.read('_acme-challenge.dev.example.com', 'TXT')
  const setWildcard = async (on: boolean) => {
    const { rebuilding, busy } = await api().dnsWildcardSet({ params: { id: house.ids[0] ?? 0 }, body: { on } })
    assert.deepEqual(busy, [])
    for (const { jobId } of rebuilding) await house.succeeded(jobId)
    return rebuilding.map(({ slug }) => slug)
  }
  /** Visits all the time until the work is done: every one has to be answered, with a certificate that is valid. */
  const watched = async <T>(hostname: string, work: () => Promise<T>): Promise<T> => {
    const over = new AbortController()
    let visits = 0
    const watching = (async () => {
      while (!over.signal.aborted) {
        assert.equal((await people.https(hostname)).status, 200)
        visits += 1
        await sleep(20)
      }
    })()
    const result = await work().finally(() => over.abort())
    await watching
    assert.ok(visits > 0)
    return result
  }

  before(async () => {
    knot = await startKnot(['example.com'])
    pebble = await startPebble({ httpPort: 80, nameServer: knot.address })
    house = await siteHouse(2, { env: { DNS_SERVERS: knot.address }, extraJobs: variantsOf(siteUpdateDomains) })
    server = house.servers[0] ?? assert.fail()
    next = house.servers[1] ?? assert.fail()
    rootPem = await pebble.rootPem()
    // The old server of a site that moves checks the certificate of the new one.
    trust({ cert: rootPem })
    people = visitor(server.address, rootPem)
    const body = { publicIp: server.address, devDomain: 'dev.example.com' }
    await api().serverUpdate({ params: { id: house.ids[0] ?? 0 }, body })
    await api().serverUpdate({ params: { id: house.ids[1] ?? 0 }, body: { publicIp: next.address } })
    await api().settingsUpdate({ body: { certificates: { directoryUrl: pebble.directoryUrl } } })
    await knot.update(`add ${WILDCARD}. 300 A ${server.address}`, `add ${THEIRS}. 300 A 192.0.2.9`)
    await house.create('hello')
    await api().dnsTokenSet({ body: { token: knot.token } })
  })
  after(async () => {
    await house?.[Symbol.asyncDispose]()
    await pebble?.stop()
    await knot?.stop()
  })

  it('a wildcard is switched on: dev sites share it, are answered all the time, and no challenge stays in DNS', async () => {
    assert.equal(await certified(HELLO), `DNS:${HELLO}`)
    assert.deepEqual(await watched(HELLO, () => setWildcard(true)), ['hello'])
    assert.equal(await certified(HELLO), `DNS:${WILDCARD}`)
    assert.deepEqual([await certificates(), await challenges()], [[WILDCARD], []])
    assert.deepEqual(await knot.read('_fleetpress._acme-challenge.dev.example.com', 'TXT'), [])
    const state = await api().dnsGet()
    const shown = state.servers.find(({ id }) => id === house.ids[0])
    assert.deepEqual([shown?.wildcard, shown?.certificate?.status], [true, 'valid'])
    assert.equal(state.wildcardServerId, house.ids[0])
  })

  it('a new dev site needs no certificate of its own', async () => {
    const issued = pebble.issuedCount()
    await house.create('second')
    assert.equal((await people.https(SECOND)).status, 200)
    assert.deepEqual([pebble.issuedCount(), await certificates()], [issued, [WILDCARD]])
    const [name] = (await api().siteDomains({ params: { slug: 'second' } })).items
    assert.equal(name?.certificate?.status, 'valid')
  })

  it('a wildcard is switched off: each has its own again, without a gap, and the shared one goes', async () => {
    const rebuilt = await watched(HELLO, () => setWildcard(false))
    assert.deepEqual(rebuilt.toSorted(), ['hello', 'second'])
    assert.deepEqual([await certified(HELLO), await certified(SECOND)], [`DNS:${HELLO}`, `DNS:${SECOND}`])
    assert.deepEqual(await certificates(), [HELLO, SECOND])
  })

  it('a record of someone else stops going live before anything has changed', async () => {
    const body = { domains: [SHOP, THEIRS], manageDns: true }
    const { job } = await api().siteGoLive({ params: { slug: 'hello' }, body })
    const ended = await endedOn(house.panel, job, 120_000)
    assert.equal(ended.status, 'failed')
    assert.match(ended.error?.message ?? '', /Nothing was changed\. theirs\.example\.com has a record of type A/)
    assert.deepEqual([await knot.read(SHOP, 'A'), await knot.read(THEIRS, 'A')], [[], ['192.0.2.9']])
  })

  if (SOAK)
    it('records are set once however often the job is cut off, and undone with it', () =>
      exerciseJob('sqlite', siteUpdateDomains, {
        panel: house.panel,
        failAt: ['get-certificate'],
        limitMs: 3 * 60_000,
        prepare: async () => {
          const { hostnames } = await api().siteGet({ params: { slug: 'second' } })
          if (hostnames[0] !== SECOND) {
            const body = { domains: [SECOND] }
            await house.succeeded((await api().siteDomainsUpdate({ params: { slug: 'second' }, body })).job.id)
          }
          await knot.update('del again.example.com. A', 'del _fleetpress.again.example.com. TXT')
          const serverId = house.ids[0] ?? 0
          return {
            slug: 'second',
            serverId,
            hostnames: ['again.example.com'],
            domainMode: 'live' as const,
            manageDns: true,
          }
        },
        look: async () => ({
          a: await knot.read('again.example.com', 'A'),
          markers: await knot.read('_fleetpress.again.example.com', 'TXT'),
          names: await certificates(),
        }),
      }))

  it('a site goes live from nothing to https in one job, and its log says what was changed in DNS', async () => {
    const query = { serverId: house.ids[0] ?? 0, domains: `${SHOP},${WWW}` }
    const { plan } = await api().siteDnsCheck({ query })
    assert.deepEqual(
      plan?.items.map(({ action }) => action),
      ['create', 'create'],
    )
    const body = { domains: [SHOP, WWW], manageDns: true }
    const { job } = await api().siteGoLive({ params: { slug: 'hello' }, body })
    await house.succeeded(job.id)
    assert.deepEqual([await knot.read(SHOP, 'A'), await knot.read(WWW, 'A')], [[server.address], [server.address]])
    assert.equal((await people.https(SHOP)).status, 200)
    assert.equal((await people.https(WWW)).status, 301)
    assert.match(await logOn(house.panel, await jobOf(job.id)), new RegExp(`DNS: created ${SHOP} A ${server.address}`))
  })

  it('a lost server that comes back under another address has its certificates, and records of the panel follow it', async () => {
    const params = { id: house.ids[0] ?? 0 }
    await server.exec(['bash', '-c', 'docker rm -f fleetpress-edge && rm -r /srv/fleetpress/edge'])
    await api().serverUpdate({ params, body: { publicIp: ELSEWHERE } })
    const issued = pebble.issuedCount()
    await house.succeeded((await api().serverReprovision({ params })).job.id)
    assert.equal(await certified(SHOP), `DNS:${SHOP}, DNS:${WWW}`)
    assert.equal(pebble.issuedCount(), issued)
    assert.deepEqual([await knot.read(SHOP, 'A'), await knot.read(WWW, 'A')], [[ELSEWHERE], [ELSEWHERE]])
    assert.deepEqual([await knot.read(SECOND, 'A'), await knot.read(THEIRS, 'A')], [[server.address], ['192.0.2.9']])
    await api().serverUpdate({ params, body: { publicIp: server.address } })
  })

  it('a site that moves takes its records along, is answered all the time, and what others wrote stays', async () => {
    await knot.update(`add ${SHOP}. 300 TXT theirs`)
    const params = { slug: 'hello' }
    const { job } = await watched(SHOP, async () => {
      const moving = await api().siteMove({ params, body: { targetServerId: house.ids[1] ?? 0 } })
      await house.succeeded(moving.job.id)
      return moving
    })
    assert.deepEqual([await knot.read(SHOP, 'A'), await knot.read(WWW, 'A')], [[next.address], [next.address]])
    assert.deepEqual([await knot.read(SHOP, 'TXT'), await knot.read(THEIRS, 'A')], [['theirs'], ['192.0.2.9']])
    const log = await logOn(house.panel, await jobOf(job.id))
    assert.match(log, new RegExp(`DNS: removed ${SHOP} A ${ELSEWHERE}`))
    assert.match(log, new RegExp(`DNS: created ${SHOP} A ${next.address}`))
    await house.succeeded((await api().siteMoveFinalize({ params })).job.id)
    assert.equal((await visitor(next.address, rootPem).https(SHOP)).status, 200)
  })

  it('a deleted site takes the records along that the panel created, and no others', async () => {
    const query = { removeRecords: 'true' as const }
    await house.succeeded((await api().siteDelete({ params: { slug: 'hello' }, query })).job.id)
    assert.deepEqual([await knot.read(SHOP, 'A'), await knot.read(WWW, 'A')], [[], []])
    assert.deepEqual([await knot.read(SHOP, 'TXT'), await knot.read(THEIRS, 'A')], [['theirs'], ['192.0.2.9']])
  })

  it('records are removed again when there is no certificate, and their names stay free', async () => {
    await pebble.down()
    const body = { domains: ['again.example.com'], manageDns: true }
    const { job } = await api().siteGoLive({ params: { slug: 'second' }, body })
    const ended = await endedOn(house.panel, job, 180_000)
    assert.equal(ended.status, 'failed')
    assert.match(ended.error?.message ?? '', /Couldn't get a certificate/)
    assert.match(await logOn(house.panel, ended), /DNS: removed again\.example\.com A/)
    for (const name of ['again.example.com', '_fleetpress.again.example.com'])
      assert.deepEqual([await knot.read(name, 'A'), await knot.read(name, 'TXT')], [[], []])
    assert.deepEqual((await api().siteGet({ params: { slug: 'second' } })).hostnames, [SECOND])
  })
})
