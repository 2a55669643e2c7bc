import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import * as servers from '#migrations/0002-servers.ts'
import * as monitoring from '#migrations/0004-monitoring.ts'
import { Problem } from '#platform/contract/problem.ts'
import { type Database, openDatabase } from '#platform/db/database.ts'
import { migrate } from '#platform/db/migrate.ts'
import type { RequestScope } from '#platform/http/handlers.ts'
import { ENGINES } from '#test/support/panel.ts'
import { newPostgresDatabase } from '#test/support/postgres.ts'
import { monitor } from './contract.ts'
import { latestOf } from './latest.ts'
import type { ContainerUse, Sample } from './read-sample.ts'
import { monitorRoutes } from './routes.ts'
import { insertSamples } from './sample-store.ts'
import { toRows } from './to-rows.ts'

const MINUTE = 60_000
const NOW = 1_750_000_000_000 - (1_750_000_000_000 % MINUTE)

const use = (part: Partial<ContainerUse>): ContainerUse => ({
  id: 'a'.repeat(64),
  name: 'one',
  siteSlug: null,
  stackPart: null,
  up: true,
  cpuShare: 0.125,
  memBytes: 40 * 1024 ** 2,
  memLimitBytes: 64 * 1024 ** 2,
  pids: 3,
  ...part,
})

const SAMPLE: Sample = {
  uptimeSeconds: 100,
  load1: 0.5,
  load5: 1.25,
  load15: 2,
  cpus: 4,
  cpuShare: 0.25,
  memTotalBytes: 4096,
  memUsedBytes: 2048,
  swapTotalBytes: 0,
  swapUsedBytes: 0,
  diskTotalBytes: 9 * 1024 ** 2,
  diskUsedBytes: 3 * 1024 ** 2,
  netInBytesPerSecond: 2048,
  netOutBytesPerSecond: 4096,
  containers: [
    use({ siteSlug: 'shop' }),
    use({ siteSlug: 'blog', up: false, cpuShare: null, memBytes: null, memLimitBytes: null }),
    use({ siteSlug: 'blog' }),
    use({ stackPart: 'edge' }),
    use({}),
  ],
}

for (const engine of ENGINES) {
  describe(`monitoring over the API on ${engine}`, { timeout: 300_000 }, () => {
    let folder: string
    let database: Database

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'fleetpress-monitor-'))
      const databaseUrl = engine === 'postgres' ? await newPostgresDatabase() : undefined
      database = await openDatabase({ sqliteFile: join(folder, 'panel.db'), databaseUrl })
      await migrate(database.db, { '0002-servers': servers, '0004-monitoring': monitoring })
    })
    after(async () => {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const scope = () => ({ db: database.db, database, now: () => NOW }) as RequestScope
    const nothing = { params: undefined, query: undefined, body: undefined }
    const overview = async () =>
      monitor.monitorOverview.reply.parse(await monitorRoutes.monitorOverview(nothing, scope()))
    const ofServer = async (id: number, hours: number) =>
      monitor.monitorServerHistory.reply.parse(
        await monitorRoutes.monitorServerHistory({ params: { id }, query: { hours }, body: undefined }, scope()),
      )
    const ofSite = async (slug: string, hours: number) =>
      monitor.monitorSiteHistory.reply.parse(
        await monitorRoutes.monitorSiteHistory({ params: { slug }, query: { hours }, body: undefined }, scope()),
      )
    const notFound = (error: unknown) => error instanceof Problem && error.code === 'not_found'

    it('monitorOverview: a server that was not asked yet is shown as unknown', async () => {
      const { servers, sites } = await overview()
      assert.deepEqual(
        servers.map(server => [server.serverId, server.name, server.reachable, server.at, server.load1]),
        [[1, 'This server', null, null, null]],
      )
      assert.deepEqual(sites, [])
    })

    it('monitorOverview: what servers, stack and sites use now', async () => {
      const siteDiskBytes = new Map([['shop', 12_345]])
      latestOf(database).set(1, { reachable: true, at: NOW, sample: SAMPLE, siteDiskBytes })
      const { servers, sites } = await overview()
      const { containers: _, ...own } = SAMPLE
      const edge = { part: 'edge', up: true, cpuShare: 0.125, memBytes: 40 * 1024 ** 2 }
      assert.deepEqual(servers, [{ serverId: 1, name: 'This server', at: NOW, reachable: true, ...own, stack: [edge] }])
      const site = {
        serverId: 1,
        up: true,
        cpuShare: 0.125,
        memBytes: 40 * 1024 ** 2,
        memLimitBytes: 64 * 1024 ** 2,
        at: NOW,
      }
      assert.deepEqual(sites, [
        { slug: 'shop', ...site, diskBytes: 12_345 },
        { slug: 'blog', ...site, diskBytes: null },
      ])
    })

    it('monitorOverview: old values are not shown for a server that does not answer', async () => {
      latestOf(database).set(1, { reachable: false, at: NOW, sample: SAMPLE, siteDiskBytes: new Map() })
      const { servers, sites } = await overview()
      assert.deepEqual([servers[0]?.reachable, servers[0]?.at, servers[0]?.load1], [false, NOW, null])
      assert.deepEqual(
        sites.map(site => [site.slug, site.up, site.memBytes]),
        [
          ['shop', null, null],
          ['blog', null, null],
        ],
      )
    })

    it('monitorServerHistory and monitorSiteHistory: the samples in the units of the API', async () => {
      const disk = new Map([['shop', 5 * 1024 ** 2]])
      await insertSamples(database.db, toRows(1, NOW - 2 * MINUTE + 30_000, SAMPLE, disk))
      const server = await ofServer(1, 1)
      assert.deepEqual(server, {
        stepSeconds: 60,
        points: [
          {
            at: NOW - 2 * MINUTE,
            cpuShare: 0.25,
            cpuShareMax: 0.25,
            memUsedBytes: 2048,
            memUsedMaxBytes: 2048,
            diskUsedBytes: 3 * 1024 ** 2,
            load1: 0.5,
            load1Max: 0.5,
            netInBytesPerSecond: 2048,
            netOutBytesPerSecond: 4096,
          },
        ],
      })
      const site = await ofSite('shop', 168)
      assert.equal(site.stepSeconds, 1800)
      assert.deepEqual(
        site.points.map(point => ({ ...point, at: NOW - (point.at % 1_800_000) })),
        [
          {
            at: NOW,
            upShare: 1,
            cpuShare: 0.125,
            cpuShareMax: 0.125,
            memBytes: 40 * 1024 ** 2,
            memMaxBytes: 40 * 1024 ** 2,
            diskBytes: 5 * 1024 ** 2,
          },
        ],
      )
    })

    it('monitorServerHistory and monitorSiteHistory: what is not there', async () => {
      await assert.rejects(ofServer(2, 24), notFound)
      await assert.rejects(ofSite('nothing', 24), notFound)
    })

    it('monitorServerHistory: 1 to 168 hours, a day when left out', () => {
      const { query } = monitor.monitorServerHistory
      assert.deepEqual(query.parse({}), { hours: 24 })
      for (const hours of ['1', '168']) assert.equal(query.parse({ hours }).hours, Number(hours))
      for (const hours of ['0', '169', '-1', '1.5', 'x', ''])
        assert.equal(query.safeParse({ hours }).success, false, hours)
    })
  })
}
