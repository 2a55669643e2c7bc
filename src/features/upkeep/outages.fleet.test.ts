import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemActor } from '#app/world.ts'
import { listContainers } from '#drivers/docker/containers.ts'
import { findSite, listSites } from '#features/sites/index.ts'
import { dockerOf, SITE_LABEL } from '#features/stack/index.ts'
import type { Job } from '#platform/contract/job.ts'
import { ProgramDown } from '#platform/host/errors.ts'
import { listActiveJobsOfServer } from '#platform/jobs/job-store.ts'
import { until } from '#test/fleet/until.ts'
import type { Vps } from '#test/fleet/vps.ts'
import { endedOn, logOn } from '#test/support/drive-panel.ts'
import { assertTyped, lanesAreFreeOn } from '#test/support/fault-house.ts'
import { ownServers } from '#test/support/leased-servers.ts'
import { ask } from '#test/support/move/visitors.ts'
import { OUTAGES, type Outage } from '#test/support/outages.ts'
import { type Pebble, startPebble } from '#test/support/pebble.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { SOAK } from '#test/support/soak.ts'
import { findDrifted } from './find-drifted.ts'
import { lookForLeftovers } from './look-for-leftovers.ts'
import { keepTrue } from './repair.ts'

const SLUG = 'hello'
const NEW = 'fresh'
const DOMAIN = 'shop.example.com'
const params = { slug: SLUG }
const LIMIT_MS = 8 * 60_000
const ANSWER_LIMIT_MS = 60_000

const ACTS = [
  'create',
  'delete',
  'stop',
  'start',
  'restart',
  'php',
  'domains',
  'move',
  'finalize',
  'reconcile',
] as const
type Act = (typeof ACTS)[number]
interface Round {
  act: Act
  outage: Outage
  /** From the start of the job. */
  afterMs: number
}

/** On one server, so without moves: what happens most often. */
const LIKELIEST: Round[] = [
  { act: 'create', outage: 'power off for 15 s', afterMs: 800 },
  { act: 'create', outage: 'MariaDB killed', afterMs: 600 },
  { act: 'create', outage: 'disk full for 10 s', afterMs: 300 },
  { act: 'delete', outage: 'network cut for 20 s', afterMs: 300 },
  { act: 'stop', outage: 'dockerd killed', afterMs: 200 },
  { act: 'start', outage: 'edge killed', afterMs: 300 },
  { act: 'restart', outage: 'dockerd killed', afterMs: 300 },
  { act: 'php', outage: 'reboot', afterMs: 500 },
  { act: 'stop', outage: 'network cut for 20 s', afterMs: 100 },
  { act: 'reconcile', outage: 'power off for 15 s', afterMs: 100 },
]

const TIMES = 3
/** Of the soak, side by side: they mostly wait for what is off. */
const HOUSES = 3

/** In no order, so that a soak which is ended early has tried some of everything. */
const everyRound = (): Round[] => {
  const rounds = Array.from({ length: TIMES }, () =>
    ACTS.flatMap(act =>
      (Object.keys(OUTAGES) as Outage[]).map(outage => ({ act, outage, afterMs: Math.round(Math.random() * 5000) })),
    ),
  ).flat()
  return rounds
    .map(round => ({ round, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ round }) => round)
}

const outagesInTurn = (rounds: readonly Round[]) => {
  let house: SiteHouse
  let pebble: Pebble | undefined
  before(async () => {
    const options = { engine: { retryMs: 2_000 } }
    if (!SOAK) {
      house = await siteHouse(1, options, ownServers)
      return
    }
    pebble = await startPebble({ httpPort: 80 })
    house = await siteHouse(2, { ...options, env: { DNS_SERVERS: pebble.nameServer } }, ownServers)
    await api().settingsUpdate({ body: { certificates: { directoryUrl: pebble.directoryUrl } } })
    for (const [at, id] of house.ids.entries())
      await api().serverUpdate({ params: { id }, body: { publicIp: house.servers[at]?.address ?? '' } })
  })
  after(async () => {
    await house?.[Symbol.asyncDispose]()
    await pebble?.stop()
  })

  const api = () => house.panel.as('full')
  const scope = () => house.panel.world.scope(systemActor('test'))
  const db = () => house.panel.foundation.database.db
  const done = async ({ job }: { job: Job }) => void (await house.succeeded(job.id))

  const serverOf = async () => {
    const { serverId } = await api().siteGet({ params })
    return house.servers[house.ids.indexOf(serverId)] ?? assert.fail()
  }
  /** Its domain points there. */
  const leadTo = async ({ address }: Vps) => pebble?.leadTo(address)

  /** The site as each job finds it; the server that is struck is the one the job works on most. */
  const prepare = async (act: Act): Promise<void> => {
    if (!(await findSite(db(), SLUG))) await house.create(SLUG, house.ids[0])
    const { status, parkedOn } = await api().siteGet({ params })
    const wanted = act === 'start' ? 'stopped' : 'running'
    if (status !== wanted)
      await done(await (act === 'start' ? api().siteStop({ params }) : api().siteStart({ params })))
    if (parkedOn !== null && act !== 'finalize') {
      await leadTo(await serverOf())
      await done(await api().siteMoveFinalize({ params }))
    }
    if (parkedOn === null && act === 'finalize') await done(await startMove())
  }
  const startMove = async () => {
    const { serverId } = await api().siteGet({ params })
    const targetServerId = house.ids.find(id => id !== serverId) ?? 0
    return api().siteMove({ params, body: { targetServerId } })
  }
  /** Adds a domain, or takes it away again. */
  const changeDomains = async () => {
    const { hostnames } = await api().siteGet({ params })
    const others = hostnames.filter(name => name !== DOMAIN)
    const domains = others.length < hostnames.length ? others : [...others, DOMAIN]
    return api().siteDomainsUpdate({ params, body: { domains } })
  }
  const otherPhp = async () => ((await api().siteGet({ params })).phpVersion === '8.4' ? '8.2' : '8.4')
  const START: Record<Act, () => Promise<{ job: Job }>> = {
    create: () => {
      const account = { adminUser: 'ada', adminEmail: 'ada@example.com' }
      const body = { title: 'Fresh', slug: NEW, domainMode: 'dev' as const, ...account, serverId: house.ids[0] ?? 0 }
      return api().siteCreate({ body })
    },
    delete: () => api().siteDelete({ params, query: {} }),
    stop: () => api().siteStop({ params }),
    start: () => api().siteStart({ params }),
    restart: () => api().siteRestart({ params }),
    php: async () => api().sitePhp({ params, body: { version: await otherPhp() } }),
    domains: changeDomains,
    move: startMove,
    finalize: () => api().siteMoveFinalize({ params }),
    reconcile: () => api().siteReconcile({ params }),
  }

  /** What the panel does by itself after its next sample, without waiting for that. */
  const settle = async () => {
    await lanesAreFreeOn(house.panel)
    for (const serverId of house.ids) {
      // What differs is repaired at the second look.
      for (const look of ['first', 'second']) await until(`The ${look} look`, () => isSampled(serverId), 60_000)
      const isIdle = async () => (await listActiveJobsOfServer(db(), serverId)).length === 0
      await until('The repairs', isIdle, LIMIT_MS)
    }
  }
  const isSampled = (serverId: number) =>
    keepTrue(scope(), { serverId, signal: AbortSignal.timeout(30_000) }).then(
      () => true,
      () => false,
    )

  /** A database that was killed takes some seconds to recover. */
  const leftoversOn = async (serverId: number) => {
    let found: unknown[] = []
    const isStillDown = (error: unknown) => {
      if (error instanceof ProgramDown) return false
      throw error
    }
    const look = async () => {
      found = await lookForLeftovers(scope(), serverId, AbortSignal.timeout(60_000))
      return true
    }
    await until('A look for leftovers', () => look().catch(isStillDown), ANSWER_LIMIT_MS)
    return found
  }

  const assertTrue = async (log: string) => {
    for (const [at, serverId] of house.ids.entries()) {
      assert.deepEqual(await leftoversOn(serverId), [], log)
      const containers = await listContainers(dockerOf(scope().hosts.get(serverId)))
      const states = new Map(containers.map(({ labels, state }) => [labels[SITE_LABEL] ?? '', state]))
      const sites = await listSites(db(), { serverId })
      assert.deepEqual(findDrifted(sites, states), [], log)
      for (const { slug, status } of sites) {
        const { hostnames } = await api().siteGet({ params: { slug } })
        const address = house.servers[at]?.address ?? ''
        const expected = status === 'running' ? 200 : 503
        const isSo = async () => (await ask({ address, hostname: hostnames[0] ?? '', path: '/' })).status === expected
        await until(`${expected} from ${slug}, which is ${status}`, isSo, ANSWER_LIMIT_MS)
      }
    }
  }

  for (const { act, outage, afterMs } of rounds) {
    it(`${act}, ${outage} after ${afterMs} ms: the panel tells the truth, and nothing is left`, async t => {
      await prepare(act)
      const started = Date.now()
      const { serverId } = await api().siteGet({ params })
      const struck = act === 'create' ? (house.servers[0] ?? assert.fail()) : await serverOf()
      await leadTo(struck)
      const { job } = await START[act]()
      await sleep(afterMs)
      await OUTAGES[outage](struck)
      const ended = await endedOn(house.panel, job, LIMIT_MS)
      const log = await logOn(house.panel, ended)
      t.diagnostic(`${ended.status} ${ended.error?.code ?? ''} after ${Date.now() - started} ms`)
      assertTyped(ended, log)
      if (act === 'move' && (await api().siteGet({ params })).serverId !== serverId)
        assert.equal(ended.status, 'succeeded', log)
      await settle()
      await assertTrue(log)
      if (await findSite(db(), NEW)) await done(await api().siteDelete({ params: { slug: NEW }, query: {} }))
      if (act === 'create' || act === 'delete') {
        await house.create(NEW)
        await done(await api().siteDelete({ params: { slug: NEW }, query: {} }))
      }
    })
  }
}

describe('outages of a server in the middle of a job', {
  timeout: SOAK ? 24 * 3_600_000 : 15 * 60_000,
  concurrency: SOAK ? HOUSES : 1,
}, () => {
  if (!SOAK) {
    outagesInTurn(LIKELIEST)
    return
  }
  const rounds = everyRound()
  const share = Math.ceil(rounds.length / HOUSES)
  for (let at = 0; at < rounds.length; at += share)
    describe(`house ${1 + at / share}`, { concurrency: 1 }, () => outagesInTurn(rounds.slice(at, at + share)))
})
