import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { Problem } from '#platform/contract/problem.ts'
import { ENGINES, newConfig, type TestPanel, testPanel } from '#test/support/panel.ts'
import { followLog } from './follow-log.ts'
import { deleteOldTraffic } from './traffic-store.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Ten minutes past an hour, so that the minutes before belong to it. */
const NOW = 1_750_000_000_000 - (1_750_000_000_000 % HOUR) + HOUR / 6

interface Asked {
  at?: number
  site?: string
  uri?: string
  status?: number
  cache?: string
}

for (const engineName of ENGINES) {
  describe(`traffic on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let folder: string
    let now = NOW
    const file = () => join(folder, 'access.json')
    const write = (count: number, { at = now, site = 'shop', uri = '/', status = 200, cache = '' }: Asked = {}) => {
      const line = { time: (at / 1000).toFixed(3), site, uri, status: String(status), bytes: '100', cache }
      appendFileSync(file(), `${JSON.stringify(line)}\n`.repeat(count))
    }
    const follow = (part: Partial<Parameters<typeof followLog>[0]> = {}) =>
      followLog({ ...panel.world.scope(systemActor('test')), ...part }, { serverId: 1, folder })
    const traffic = (hours?: number, slug = 'shop') =>
      panel.as('read-only').siteTraffic({ params: { slug }, query: { ...(hours && { hours }) } })
    const open = async (config?: TestPanel['config']) =>
      testPanel({ engineName, now: () => now, ...(config && { config }) })

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'fleetpress-traffic-'))
      panel = await open(await newConfig(engineName))
      const { db } = panel.foundation.database
      await db.updateTable('server').set({ provisioned_at: 1 }).execute()
      for (const slug of ['shop', 'blog'])
        await panel.as('manage').siteCreate({
          body: { title: slug, slug, domainMode: 'dev', adminUser: 'ada', adminEmail: 'ada@example.com' },
        })
      // Otherwise the panel would soon read the log of this machine.
      await db.updateTable('server').set({ provisioned_at: null }).execute()
      await db
        .updateTable('site')
        .set({ created_at: NOW - 400 * DAY })
        .execute()
    })
    after(async () => {
      await panel?.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    it('is nothing but zeros for a site no one has visited, and 404 for none', async () => {
      const { stepSeconds, buckets, totals, topPaths } = await traffic(1)
      assert.deepEqual([stepSeconds, buckets.length, totals.requests, topPaths], [60, 61, 0, []])
      await assert.rejects(traffic(1, 'nobody'), error => error instanceof Problem && error.code === 'not_found')
    })

    it('is counted by time, status, cache and path', async () => {
      write(3, { uri: '/a?secret=1' })
      write(2, { uri: '/a?secret=2', status: 404, at: now - 120_000 })
      write(1, { uri: '/b', status: 301, cache: 'HIT' })
      write(1, { uri: '/c', status: 502 })
      write(9, { site: 'blog' })
      write(5, { site: 'gone' })
      await follow()
      const { buckets, totals, topPaths } = await traffic(1)
      const status = { '1xx': 0, '2xx': 3, '3xx': 1, '4xx': 2, '5xx': 1 }
      assert.deepEqual(totals, { requests: 7, bytes: 700, status, cacheHits: 1 })
      assert.deepEqual(
        buckets.filter(bucket => bucket.requests > 0).map(({ at, requests }) => [at, requests]),
        [
          [now - 120_000, 2],
          [now, 5],
        ],
      )
      assert.deepEqual(topPaths, [
        { path: '/a', requests: 5, bytes: 500 },
        { path: '/b', requests: 1, bytes: 100 },
        { path: '/c', requests: 1, bytes: 100 },
      ])
      for (const hours of [6, 7, 24, 25, 60, 120, 168]) {
        const wider = await traffic(hours)
        assert.equal(wider.totals.requests, 7, `${hours}`)
        assert.ok(wider.buckets.length <= 361)
        const step = wider.stepSeconds * 1000
        assert.ok(wider.buckets.every(({ at }, index) => at === (wider.buckets[0]?.at ?? 0) + index * step))
      }
      assert.equal((await traffic(1, 'blog')).totals.requests, 9)
    })

    it('counts nothing twice or never: not with a panel next to, a failure in the middle, or a new start', async () => {
      write(10)
      await Promise.all([follow(), follow(), follow()])
      assert.equal((await traffic(1)).totals.requests, 17)
      write(10)
      renameSync(file(), `${file()}.1`)
      write(10, { at: now + 1 })
      const noTime = () => {
        throw new Error('killed')
      }
      await assert.rejects(follow({ now: noTime }), /killed/)
      const { config } = panel
      await panel.close()
      panel = await open(config)
      await follow()
      await follow()
      assert.equal((await traffic(1)).totals.requests, 37)
    })

    it('keeps the most frequent paths of an hour, though visitors make up thousands', async () => {
      for (let round = 0; round < 4; round++) {
        for (let index = 0; index < 300; index++) write(1, { site: 'blog', uri: `/made-up/${round}-${index}` })
        write(20, { site: 'blog', uri: '/wanted' })
        await follow()
      }
      const { topPaths, totals } = await traffic(1, 'blog')
      assert.deepEqual(topPaths[0], { path: '/wanted', requests: 80, bytes: 8000 })
      assert.deepEqual([topPaths.length, totals.requests], [20, 9 + 1280])
      const { db } = panel.foundation.database
      const kept = await db.selectFrom('site_traffic_path').selectAll().where('site_slug', '=', 'blog').execute()
      assert.equal(kept.length, 30)
    })

    it('is thinned with time, goes with its site, and never grows with what is older than anyone can ask', async () => {
      const { db } = panel.foundation.database
      const before = await db.selectFrom('site_traffic').selectAll().execute()
      write(5, { at: now - 9 * DAY })
      await follow()
      assert.equal((await db.selectFrom('site_traffic').selectAll().execute()).length, before.length)
      const steps = async () => {
        const rows = await db.selectFrom('site_traffic').select('step_minutes').distinct().execute()
        return rows.map(row => row.step_minutes).toSorted((a, b) => a - b)
      }
      now = NOW + 2 * DAY
      assert.equal((await traffic(72)).totals.requests, 37)
      await deleteOldTraffic(db, now)
      assert.deepEqual(await steps(), [10, 60])
      assert.equal((await traffic(72)).totals.requests, 37)
      assert.equal((await traffic(72)).topPaths[0]?.path, '/')
      await deleteOldTraffic(db, NOW + 10 * DAY)
      assert.deepEqual(await steps(), [60])
      assert.deepEqual(await db.selectFrom('site_traffic_path').selectAll().execute(), [])
      await db.deleteFrom('site').execute()
      assert.deepEqual(await steps(), [])
    })
  })
}
