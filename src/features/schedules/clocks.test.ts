import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { features } from '#app/features.ts'
import { systemActor } from '#app/world.ts'
import { MASTER_KEY_FILE } from '#platform/secrets/master-key.ts'
import { withoutRuns } from '#test/generated/without-runs.ts'
import { newConfig, type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import { startDue } from './scheduler.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Their clocks differ by a little, as those of real machines do. */
const SKEWS_MS = [0, 1_700, -2_300]
const NIGHTLY = { name: 'Restart', action: 'site.restart', timezone: 'Europe/Berlin', targets: { all: true } } as const

const at = (text: string) => Date.parse(text)
const text = (time: number) => new Date(time).toISOString().slice(0, 16)

describe('schedules of three panels on one database, while the clock changes', { timeout: 300_000 }, () => {
  let now = 0
  const panels: TestPanel[] = []
  const first = () => panels[0] ?? assert.fail()

  before(async () => {
    const config = await newConfig('postgres')
    for (const [index, skew] of SKEWS_MS.entries()) {
      const own = index === 0 ? config : { ...config, dataDir: join(config.dataDir, `panel-${index}`) }
      if (index > 0) {
        mkdirSync(own.dataDir)
        copyFileSync(join(config.dataDir, MASTER_KEY_FILE), join(own.dataDir, MASTER_KEY_FILE))
      }
      // Timers of theirs would work in a time that jumps by months.
      panels.push(await testPanel({ config: own, now: () => now + skew, features: features.map(withoutRuns) }))
    }
    await first().foundation.database.db.insertInto('site').values(siteRow('shop', 1)).execute()
    for (const { id } of (await first().as('full').scheduleList()).items)
      await first()
        .as('full')
        .scheduleUpdate({ params: { id }, body: { enabled: false } })
  })
  after(async () => {
    for (const panel of panels.slice(1)) await panel.close()
    await panels[0]?.stop()
  })

  /** Every panel looks at once, and what was started is done before the next look. */
  const lookAt = async (time: number) => {
    now = time
    await Promise.all(panels.map(panel => startDue(panel.world.scope(systemActor('panel')))))
    const { db } = first().foundation.database
    await db.updateTable('job').set({ status: 'succeeded', site_lock: null, finished_at: now }).execute()
  }

  /** What a schedule ran for while the clocks showed these times, each run with its one job. */
  const runsDuring = async (cron: string, start: string, times: readonly number[]): Promise<string[]> => {
    now = at(start)
    const { id } = await first()
      .as('full')
      .scheduleCreate({ body: { ...NIGHTLY, cron } })
    for (const time of times) await lookAt(time)
    const { db } = first().foundation.database
    const runs = await db.selectFrom('schedule_run').select('due_at').where('schedule_id', '=', id).execute()
    const { total } = await first()
      .as('full')
      .jobList({ query: { scheduleId: id } })
    assert.equal(total, runs.length, 'one job for each run')
    await first().as('full').scheduleDelete({ params: { id } })
    return runs.map(({ due_at }) => text(due_at)).toSorted((a, b) => a.localeCompare(b))
  }

  const hours = (start: string, count: number, minute = 35) =>
    Array.from({ length: count }, (_, index) => at(start) + index * HOUR_MS + minute * MINUTE_MS)

  it('run each night once when the clocks are set forward, and when they are set back', async () => {
    assert.deepEqual(await runsDuring('30 2 * * *', '2026-03-27T12:00Z', hours('2026-03-27T12:00Z', 72)), [
      '2026-03-28T01:30',
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ])
    assert.deepEqual(await runsDuring('30 2 * * *', '2026-10-23T12:00Z', hours('2026-10-23T12:00Z', 72)), [
      '2026-10-24T00:30',
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ])
  })

  it('run every hour of the night that has one hour less or more', async () => {
    assert.equal((await runsDuring('0 * * * *', '2026-03-28T22:30Z', hours('2026-03-28T22:30Z', 8))).length, 8)
    assert.equal((await runsDuring('0 * * * *', '2026-10-24T22:30Z', hours('2026-10-24T22:30Z', 8))).length, 8)
  })

  it('neither double nor miss a run when the clock jumps by an hour', async () => {
    const [before, afterwards] = [hours('2026-05-01T12:00Z', 24), hours('2026-05-02T11:00Z', 48)]
    const expected = ['2026-05-02T00:30', '2026-05-03T00:30', '2026-05-04T00:30']
    assert.deepEqual(await runsDuring('30 2 * * *', '2026-05-01T12:00Z', [...before, ...afterwards]), expected)
    // Back to just before a run that was made, and forward across one.
    const across = [at('2026-06-02T00:31Z'), at('2026-06-01T23:31Z'), at('2026-06-02T00:31Z'), at('2026-06-03T00:10Z')]
    assert.deepEqual(await runsDuring('30 2 * * *', '2026-06-01T12:00Z', [...across, at('2026-06-03T01:10Z')]), [
      '2026-06-02T00:30',
      '2026-06-03T00:30',
    ])
  })

  it('run once for a month that was skipped, and each night again when the clock is set right', async () => {
    const ahead = at('2026-08-01T12:00Z')
    const times = [ahead, ahead + HOUR_MS, ...hours('2026-07-01T14:00Z', 72)]
    const runs = await runsDuring('30 2 * * *', '2026-07-01T12:00Z', times)
    assert.deepEqual(runs, ['2026-07-02T00:30', '2026-07-03T00:30', '2026-07-04T00:30'])
    const longer = [ahead, ...hours('2026-08-01T12:00Z', 48), ...hours('2026-07-05T12:00Z', 48)]
    assert.deepEqual(await runsDuring('30 2 * * *', '2026-07-04T12:00Z', longer), [
      '2026-07-05T00:30',
      '2026-07-06T00:30',
      '2026-07-07T00:30',
      '2026-08-02T00:30',
      '2026-08-03T00:30',
    ])
    const stays = [ahead, ahead + 15 * HOUR_MS, ahead + DAY_MS + 15 * HOUR_MS]
    assert.deepEqual(await runsDuring('30 2 * * *', '2026-07-01T12:00Z', stays), [
      '2026-07-02T00:30',
      '2026-08-02T00:30',
      '2026-08-03T00:30',
    ])
  })
})
