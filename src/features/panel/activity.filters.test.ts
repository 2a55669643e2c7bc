import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { TERMINAL } from '#platform/contract/job.ts'
import { newId } from '#platform/db/id.ts'
import { findJob } from '#platform/jobs/job-store.ts'
import { listLogLines } from '#platform/jobs/log-store.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { ACTIVITY_MAX, type ActivityRow, countActivity, insertActivity, WITH_KEY } from './activity-store.ts'
import { systemHousekeeping } from './jobs/system.housekeeping.ts'

const DAY_MS = 86_400_000
const [ONE, TWO] = [newId(1_000_000), newId(1_000_001)]
const BEGIN = 1_600_000_000_000

let made = 0

/** An id of that time; the ids that the panel makes never go back. */
const idAt = (at: number) => {
  made += 1
  const time = Math.floor(at).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${made.toString(16).padStart(12, '0')}`
}

const row = (at: number, part: Partial<ActivityRow> = {}): ActivityRow => ({
  id: idAt(at),
  at,
  key_id: ONE,
  key_name: 'first key',
  endpoint: 'jobList',
  method: 'GET',
  path: '/api/jobs',
  status: 200,
  address: '192.0.2.1',
  duration_ms: 1,
  request_id: 'r',
  job_id: null,
  ...WITH_KEY,
  ...part,
})

/** Oldest first. The letters of the names are what the tests look for. */
const ROWS: ActivityRow[] = [
  row(BEGIN, { request_id: 'a' }),
  row(BEGIN + 1, { request_id: 'b', status: 401 }),
  row(BEGIN + 2, { request_id: 'c', status: 404, endpoint: null, path: '/api/50%_off\\now' }),
  row(BEGIN + 3, { request_id: 'd', status: 429, key_id: TWO, key_name: 'Second KEY' }),
  row(BEGIN + 4, { request_id: 'e', status: 500, endpoint: 'keyCreate', path: '/api/keys', method: 'POST' }),
  row(BEGIN + 5, { request_id: 'f', status: 202, key_id: TWO, key_name: 'Second KEY', path: '/api/50_off' }),
]
const ALL_OF_THEM = { since: BEGIN, until: BEGIN + 6 }

for (const engineName of ENGINES) {
  describe(`looking through the activity log on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    type Query = NonNullable<NonNullable<Parameters<ReturnType<TestPanel['as']>['keyActivity']>[0]>['query']>
    const found = async (query: Query) => {
      const { items, total } = await panel.as('full').keyActivity({ query: { ...ALL_OF_THEM, ...query } })
      return [items.map(item => item.requestId).join(''), total]
    }
    before(async () => {
      panel = await testPanel({ engineName })
      await insertActivity(panel.foundation.database.db, ROWS)
    })
    after(() => panel.stop())

    it('shows the newest first and says how many there are and how long they are kept', async () => {
      assert.deepEqual(await found({}), ['fedcba', 6])
      const answer = await panel.as('full').keyActivity({ query: ALL_OF_THEM })
      assert.equal(answer.retentionDays, 30)
      assert.deepEqual(answer.items[0], {
        id: ROWS[5]?.id,
        at: BEGIN + 5,
        keyId: TWO,
        keyName: 'Second KEY',
        endpoint: 'jobList',
        method: 'GET',
        path: '/api/50_off',
        status: 202,
        address: '192.0.2.1',
        durationMs: 1,
        requestId: 'f',
        jobId: null,
        origin: 'api',
        tool: null,
        client: null,
        argumentsHash: null,
      })
    })

    it('filters by key', async () => {
      assert.deepEqual(await found({ keyId: TWO }), ['fd', 2])
      assert.deepEqual(await found({ keyId: newId() }), ['', 0])
    })

    it('filters by where it came from', async () => {
      assert.deepEqual(await found({ origin: 'api' }), ['fedcba', 6])
      assert.deepEqual(await found({ origin: 'mcp' }), ['', 0])
    })

    it('filters by one status, several, and whole hundreds', async () => {
      assert.deepEqual(await found({ status: '404' }), ['c', 1])
      assert.deepEqual(await found({ status: '401,500' }), ['eb', 2])
      assert.deepEqual(await found({ status: '4xx' }), ['dcb', 3])
      assert.deepEqual(await found({ status: '2xx,429' }), ['fda', 3])
      assert.deepEqual(await found({ status: '3xx' }), ['', 0])
    })

    it('searches path, operation and key name without minding upper and lower case', async () => {
      assert.deepEqual(await found({ q: 'KEYCREATE' }), ['e', 1])
      assert.deepEqual(await found({ q: 'second key' }), ['fd', 2])
      assert.deepEqual(await found({ q: '/api/keys' }), ['e', 1])
      assert.deepEqual(await found({ q: '' }), ['fedcba', 6])
    })

    it('searches literally: %, _ and \\ stand for themselves', async () => {
      assert.deepEqual(await found({ q: '%' }), ['c', 1])
      assert.deepEqual(await found({ q: '_off' }), ['fc', 2])
      assert.deepEqual(await found({ q: '50_' }), ['f', 1])
      assert.deepEqual(await found({ q: '\\' }), ['c', 1])
      assert.deepEqual(await found({ q: '%off' }), ['', 0])
      assert.deepEqual(await found({ q: "' or 1=1 --" }), ['', 0])
    })

    it('takes a time span: from `since` on and before `until`', async () => {
      assert.deepEqual(await found({ since: BEGIN + 2, until: BEGIN + 4 }), ['dc', 2])
      assert.deepEqual(await found({ since: BEGIN + 4, until: BEGIN + 4 }), ['', 0])
    })

    it('pages, with the same total on every page', async () => {
      assert.deepEqual(await found({ limit: 2 }), ['fe', 6])
      assert.deepEqual(await found({ limit: 2, offset: 2 }), ['dc', 6])
      assert.deepEqual(await found({ limit: 2, offset: 6 }), ['', 6])
    })

    it('joins filters', async () => {
      assert.deepEqual(await found({ keyId: ONE, status: '4xx', q: '50%', since: BEGIN + 1 }), ['c', 1])
    })

    it('refuses what is not a filter', async () => {
      const wrong = ['status=40', 'status=6xx', 'status=abc', 'keyId=1', 'limit=0', 'limit=201', 'offset=-1']
      for (const query of [...wrong, 'since=x', 'sort=status', 'q=%00']) {
        const answer = await panel.ask(`/api/keys/activity?${query}`, {
          headers: { authorization: `Bearer ${panel.token.full}` },
        })
        assert.equal(answer.status, 400, query)
        assert.match(answer.text, /validation_error/)
      }
    })
  })

  describe(`keeping the activity log small on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    const count = (part: object = {}) => countActivity(panel.foundation.database.db, { limit: 1, offset: 0, ...part })
    /** Runs the job as the night does and returns what it said. */
    const houseKept = async () => {
      const { db } = panel.foundation.database
      const { id } = await panel.world
        .scope({ kind: 'system', name: 'test', level: 'full' })
        .jobs.enqueue(systemHousekeeping, {})
      for (let tries = 0; tries < 1000; tries += 1) {
        const job = await findJob(db, id)
        if (job && TERMINAL.includes(job.status)) {
          assert.equal(job.status, 'succeeded', job.error_message ?? '')
          return (await listLogLines(db, id, 0, 100)).map(line => line.text).join('\n')
        }
        await sleep(20)
      }
      throw new Error('housekeeping did not end')
    }
    before(async () => {
      panel = await testPanel({ engineName })
      await panel.engine.start()
    })
    after(() => panel.stop())

    it('deletes what is older than 30 days unless told otherwise', async () => {
      const now = Date.now()
      const { db } = panel.foundation.database
      const old = [31, 30.01].map(days => row(now - days * DAY_MS, { request_id: 'old' }))
      await insertActivity(db, [...old, row(now - 29.9 * DAY_MS), row(now - 9 * DAY_MS), row(now - 11 * DAY_MS)])
      assert.match(await houseKept(), /2 requests older than 30 days/)
      assert.equal(await count({ until: now }), 3)
      await panel.as('full').settingsUpdate({ body: { activity: { keepRequestsForDays: 10 } } })
      assert.match(await houseKept(), /2 requests older than 10 days/)
      assert.equal(await count({ until: now }), 1)
      await panel.as('full').settingsUpdate({ body: { activity: { keepRequestsForDays: 30 } } })
    })

    it('keeps the newest hundred thousand', async () => {
      const now = Date.now()
      const { db } = panel.foundation.database
      const there = await count()
      const rows = Array.from({ length: ACTIVITY_MAX + 50 }, (_, index) => row(now + index, { request_id: `${index}` }))
      await insertActivity(db, rows)
      await houseKept()
      assert.equal(await count(), ACTIVITY_MAX)
      assert.equal(await count({ since: now + 49, until: now + 50 }), 0, 'the 51 oldest are gone')
      assert.equal(await count({ since: now + 50, until: now + 51 }), 1, 'the next one stays')
      assert.ok(there > 0 && (await count({ until: now })) === 0)
    })
  })
}
