import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { Problem } from '#platform/contract/problem.ts'
import { MASTER_KEY_FILE } from '#platform/secrets/master-key.ts'
import { ENGINES, newConfig, type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import { startDue } from './scheduler.ts'

const isProblem = (code: string, about: RegExp) => (error: unknown) =>
  error instanceof Problem && error.code === code && about.test(error.message)

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const restartAt4 = { name: 'Restart the shops', action: 'site.restart', cron: '0 4 * * *', timezone: 'UTC' }

for (const engineName of ENGINES) {
  describe(`schedules on ${engineName}`, { timeout: 300_000 }, () => {
    let now = Date.parse('2026-05-01T12:00Z')
    let panel: TestPanel
    const look = () => startDue(panel.world.scope(systemActor('panel')))
    const jobsOf = async (scheduleId: string) =>
      (await panel.as('full').jobList({ query: { scheduleId } })).items
        .map(({ siteSlug, origin }) => `${siteSlug} by ${origin}`)
        .toSorted((a, b) => a.localeCompare(b))
    const lastRun = async (id: string) => (await panel.as('read-only').scheduleGet({ params: { id } })).lastRun
    const create = async (part: object = {}) =>
      panel.as('manage').scheduleCreate({ body: { ...restartAt4, targets: { labels: ['shop'] }, ...part } })
    const endJobs = () =>
      panel.foundation.database.db
        .updateTable('job')
        .set({ status: 'succeeded', site_lock: null, finished_at: now })
        .execute()
    const endSchedule = async (id: string) => {
      await endJobs()
      await panel.as('manage').scheduleDelete({ params: { id } })
    }

    before(async () => {
      panel = await testPanel({ engineName, now: () => now })
      const { db } = panel.foundation.database
      await db.updateTable('server').set({ provisioned_at: 1 }).execute()
      const site = (slug: string, number: number, part: object) =>
        db
          .insertInto('site')
          .values({ ...siteRow(slug, number), ...part })
          .execute()
      await site('shop-a', 1, { labels: '["shop"]' })
      await site('shop-b', 2, { labels: '["shop","vip"]' })
      await site('blog', 3, { labels: '[]', status: 'stopped' })
    })
    after(() => panel.stop())

    it('has the nightly ones built in, which a key below Full can only look at', async () => {
      const { items } = await panel.as('read-only').scheduleList()
      const nightly = items.filter(({ builtIn }) => builtIn)
      assert.deepEqual(
        nightly.map(({ id, level, enabled }) => [id, level, enabled]),
        [
          ['backups', 'full', true],
          ['panel-snapshot', 'full', true],
          ['housekeeping', 'full', true],
          ['malware-scans', 'full', true],
          ['wp-scan', 'full', true],
          ['restore-drill', 'full', false],
        ],
      )
      const params = { id: 'housekeeping' }
      const forbidden = isProblem('forbidden', /Full access is required/)
      await assert.rejects(panel.as('manage').scheduleUpdate({ params, body: { enabled: false } }), forbidden)
      await assert.rejects(panel.as('manage').scheduleRun({ params }), forbidden)
      const full = panel.as('full')
      await assert.rejects(
        full.scheduleUpdate({ params, body: { name: 'Mine' } }),
        isProblem('validation_error', /built in/),
      )
      await assert.rejects(full.scheduleDelete({ params }), isProblem('conflict', /Disable it instead/))
      const changed = await full.scheduleUpdate({ params, body: { cron: '30 1 * * *', timezone: 'UTC' } })
      assert.equal(changed.nextRunAt, Date.parse('2026-05-02T01:30Z'))
      assert.equal((await full.scheduleUpdate({ params, body: { enabled: false } })).nextRunAt, null)
      // It would keep the sites busy that the other tests are about.
      await full.scheduleUpdate({ params: { id: 'backups' }, body: { enabled: false } })
    })

    it('lists what can be scheduled, with a schema for each', async () => {
      const { items } = await panel.as('read-only').scheduleActionList()
      const custom = items.filter(action => action.custom)
      assert.deepEqual(
        custom.filter(({ targets }) => targets === 'sites').map(({ action }) => action),
        [
          'site.start',
          'site.stop',
          'site.restart',
          'wp.updatePlugins',
          'wp.updateThemes',
          'wp.updateCore',
          'wp.updateAll',
          'wp.recipes',
          'backup.create',
          'backup.drill',
          'security.scan',
        ],
      )
      assert.ok(custom.some(({ action, level }) => action === 'panel.snapshot' && level === 'full'))
      for (const { schema } of items) assert.equal(schema.type, 'object')
    })

    it('refuses what makes no sense, and keeps nothing of it', async () => {
      const before = (await panel.as('full').scheduleList()).items.length
      const wrong = (part: object, about: RegExp) =>
        assert.rejects(create(part), isProblem('validation_error', about), JSON.stringify(part))
      await wrong({ cron: '61 * * * *' }, /five cron fields/)
      await wrong({ cron: '0 0 31 2 *' }, /never comes/)
      await wrong({ cron: '* * * * * *' }, /five cron fields/)
      await wrong({ timezone: 'Europe/Nowhere' }, /time zone such as/)
      await wrong({ action: 'system.housekeeping' }, /must be one of/)
      await wrong({ action: 'site.explode' }, /must be one of/)
      await wrong({ targets: {} }, /Choose the sites/)
      await wrong({ targets: undefined }, /Choose the sites/)
      await wrong({ input: { force: true } }, /Input /)
      await assert.rejects(create({ action: 'panel.snapshot', targets: undefined }), isProblem('forbidden', /Full/))
      assert.equal((await panel.as('full').scheduleList()).items.length, before)
    })

    it('queues one job for each site it means, at its time and once', async () => {
      const { id, nextRunAt } = await create()
      assert.equal(nextRunAt, Date.parse('2026-05-02T04:00Z'))
      await look()
      assert.deepEqual(await jobsOf(id), [])
      now = Date.parse('2026-05-02T04:00:03Z')
      await Promise.all([look(), look()])
      await look()
      assert.deepEqual(await jobsOf(id), ['shop-a by schedule', 'shop-b by schedule'])
      const run = await lastRun(id)
      assert.deepEqual([run?.dueAt, run?.jobs.queued, run?.waiting], [Date.parse('2026-05-02T04:00Z'), 2, []])
      const shown = await panel.as('read-only').scheduleGet({ params: { id } })
      assert.deepEqual(
        shown.nextRuns.map(time => new Date(time).getUTCDate()),
        [3, 4, 5, 6, 7],
      )
      assert.equal(shown.recentJobs.length, 2)
      await endSchedule(id)
    })

    it('tries a busy site again, and says which it left out', async () => {
      const { id } = await create({ targets: { sites: ['shop-a', 'blog'] }, cron: '0 5 * * *' })
      await panel.as('manage').siteStop({ params: { slug: 'shop-a' } })
      now = Date.parse('2026-05-02T05:00:01Z')
      await look()
      assert.deepEqual((await lastRun(id))?.waiting, ['shop-a'])
      assert.deepEqual((await lastRun(id))?.skipped, [{ siteSlug: 'blog', reason: 'blog is stopped, not running.' }])
      await endJobs()
      now += MINUTE_MS
      await look()
      assert.deepEqual(await jobsOf(id), ['shop-a by schedule'])
      // Busy all day: after an hour it is left out.
      now = Date.parse('2026-05-03T05:00:01Z')
      await look()
      now += 61 * MINUTE_MS
      await look()
      assert.match((await lastRun(id))?.skipped.at(-1)?.reason ?? '', /busy with another job for an hour/)
      await endSchedule(id)
    })

    it('runs once after days of downtime', async () => {
      const { id } = await create({ targets: { sites: ['shop-b'] }, cron: '0 6 * * *' })
      now += 20 * DAY_MS
      await look()
      await endJobs()
      await look()
      assert.deepEqual(await jobsOf(id), ['shop-b by schedule'])
      const { nextRunAt } = await panel.as('read-only').scheduleGet({ params: { id } })
      assert.ok(nextRunAt && nextRunAt > now && nextRunAt <= now + DAY_MS)
      await endSchedule(id)
    })

    it('runs now when asked, and its plan stays', async () => {
      const { id, nextRunAt } = await create({ targets: { all: true } })
      const { jobs, skipped } = await panel.as('manage').scheduleRun({ params: { id } })
      assert.deepEqual(
        jobs.map(({ scheduleId }) => scheduleId),
        [id, id],
      )
      assert.deepEqual(await jobsOf(id), ['shop-a by api', 'shop-b by api'])
      assert.deepEqual(
        skipped.map(({ siteSlug }) => siteSlug),
        ['blog'],
      )
      assert.equal((await panel.as('read-only').scheduleGet({ params: { id } })).nextRunAt, nextRunAt)
      await endSchedule(id)
    })

    it('does not run while disabled, and does not catch up when enabled again', async () => {
      const { id } = await create({ targets: { sites: ['shop-a'] }, cron: '0 * * * *', enabled: false })
      now += DAY_MS
      await look()
      await panel.as('manage').scheduleUpdate({ params: { id }, body: { enabled: true, name: 'Hourly' } })
      await look()
      assert.deepEqual(await jobsOf(id), [])
      now += 60 * MINUTE_MS
      await look()
      assert.equal((await jobsOf(id)).length, 1)
      await endSchedule(id)
    })

    it('keeps its input from Read only', async () => {
      const { items } = await panel.as('read-only').scheduleList()
      assert.ok(items.every(({ input }) => input === null))
      assert.ok((await panel.as('manage').scheduleList()).items.every(({ input }) => input !== null))
    })
  })
}

describe('schedules of two panels on one PostgreSQL', { timeout: 300_000 }, () => {
  it('run once, whichever process looks first, also when one was killed before it had queued all', async () => {
    let now = Date.parse('2026-05-01T12:00Z')
    const config = await newConfig('postgres')
    const one = await testPanel({ config, now: () => now })
    const second = { ...config, dataDir: join(config.dataDir, 'second') }
    mkdirSync(second.dataDir)
    copyFileSync(join(config.dataDir, MASTER_KEY_FILE), join(second.dataDir, MASTER_KEY_FILE))
    const two = await testPanel({ config: second, now: () => now })
    try {
      const { db } = one.foundation.database
      for (const index of [1, 2, 3, 4, 5, 6])
        await db
          .insertInto('site')
          .values(siteRow(`site-${index}`, index))
          .execute()
      await one.as('full').scheduleUpdate({ params: { id: 'backups' }, body: { enabled: false } })
      const { id } = await one.as('manage').scheduleCreate({ body: { ...restartAt4, targets: { all: true } } })
      const looks = [one, two].map(panel => () => startDue(panel.world.scope(systemActor('panel'))))
      for (const day of [2, 3, 4]) {
        now = Date.parse(`2026-05-0${day}T04:00:01Z`)
        await Promise.all(looks.map(look => look()))
        await db.updateTable('job').set({ status: 'succeeded', site_lock: null, finished_at: now }).execute()
        // As if killed after the run was written down and before its jobs were: the jobs are found by their keys.
        await db.updateTable('schedule_run_target').set({ outcome: 'waiting' }).execute()
        await Promise.all(looks.map(look => look()))
      }
      assert.equal((await one.as('full').jobList({ query: { scheduleId: id } })).total, 3 * 6)
    } finally {
      await two.close()
      await one.stop()
    }
  })
})
