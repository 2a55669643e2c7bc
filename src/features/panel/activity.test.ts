import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { features } from '#app/features.ts'
import { contract } from '#platform/contract/endpoint.ts'
import { JobAccepted } from '#platform/contract/job.ts'
import { defineFeature, type Feature } from '#platform/feature.ts'
import { defineJob } from '#platform/jobs/job-type.ts'
import { namedLane } from '#platform/jobs/lane.ts'
import { type Answer, type Ask, ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { movableClock } from '#test/support/totp.ts'
import { listActivity } from './activity-store.ts'

const nothingJob = defineJob<Record<string, never>, Record<string, never>, Record<string, never>>({
  type: 'test.nothing',
  label: 'Nothing',
  description: 'Does nothing.',
  category: 'test',
  timeoutMs: 60_000,
  input: z.strictObject({}),
  result: z.strictObject({}),
  target: () => ({}),
  lanes: () => [namedLane('nothing')],
  steps: [],
  finish: () => ({}),
})

const testFeature = defineFeature({
  name: 'test',
  uses: [],
  contract: contract({
    testStart: {
      method: 'POST',
      path: '/api/test/start',
      level: 'manage',
      job: true,
      summary: 'Start a job',
      reply: JobAccepted,
    },
  }),
  routes: { testStart: async (_, scope) => ({ job: await scope.jobs.enqueue(nothingJob, {}) }) },
  jobs: [nothingJob],
})

const ALL = { limit: 1000, offset: 0 }

for (const engineName of ENGINES) {
  describe(`the activity log on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    const clock = movableClock()
    const rows = () => listActivity(panel.foundation.database.db, ALL)
    const withToken = (token: string, path: string, asked: Ask = {}): Promise<Answer> =>
      panel.ask(path, { ...asked, headers: { authorization: `Bearer ${token}`, ...asked.headers } })
    const newKey = (name: string) => panel.as('full').keyCreate({ body: { name, access: 'full' } })
    /** What the log says of one request; reads are written a quarter of a second later. */
    const rowOf = async (answer: Answer) => {
      for (let tries = 0; tries < 100; tries += 1) {
        const found = (await rows()).filter(row => row.request_id === answer.headers['x-request-id'])
        if (found.length > 0) return found
        await sleep(20)
      }
      return []
    }
    before(async () => {
      const all = [...features, testFeature as unknown as Feature]
      panel = await testPanel({ engineName, features: all, now: clock.now })
    })
    after(() => panel.stop())

    it('holds a request with everything about it', async () => {
      const { key, token } = await newKey('reader')
      const answer = await withToken(token, '/api/jobs?limit=1', { from: '192.0.2.9' })
      const [row, ...more] = await rowOf(answer)
      assert.deepEqual(more, [])
      assert.ok(row && row.duration_ms >= 0 && Math.abs(row.at - clock.now()) < 10_000)
      const { id: _id, at: _at, duration_ms: _ms, ...rest } = row
      assert.deepEqual(rest, {
        key_id: key.id,
        key_name: 'reader',
        endpoint: 'jobList',
        method: 'GET',
        path: '/api/jobs',
        status: 200,
        address: '192.0.2.9',
        request_id: answer.headers['x-request-id'],
        job_id: null,
        origin: 'api',
        tool: null,
        client: null,
        arguments_hash: null,
      })
    })

    it('holds refused requests: level, unknown address, wrong input, wrong body, wrong content type', async () => {
      const json = { 'content-type': 'application/json' }
      const readOnly = panel.token['read-only']
      const refused: [Answer, number, string | null][] = [
        [await withToken(readOnly, '/api/keys'), 403, 'keyList'],
        [await withToken(readOnly, '/api/keys', { method: 'POST', body: { name: 'x' } }), 403, 'keyCreate'],
        [await withToken(readOnly, '/api/nowhere'), 404, null],
        [await withToken(readOnly, '/api/nowhere', { method: 'DELETE' }), 404, null],
        [await withToken(readOnly, '/api/jobs?limit=0'), 400, 'jobList'],
        [await withToken(panel.token.full, '/api/keys', { method: 'POST', headers: json, raw: '{' }), 400, 'keyCreate'],
        [await withToken(panel.token.full, '/api/keys', { method: 'POST', raw: 'name=x' }), 400, 'keyCreate'],
        [await withToken(panel.token.full, '/api/keys/17', { method: 'DELETE' }), 400, 'keyRevoke'],
        [await withToken(panel.token.full, '/api/account', { method: 'PATCH', body: {} }), 403, 'accountUpdate'],
      ]
      for (const [answer, status, endpoint] of refused) {
        assert.equal(answer.status, status)
        const [row] = await rowOf(answer)
        assert.deepEqual([row?.status, row?.endpoint], [status, endpoint])
      }
    })

    it('holds the attempts with a revoked key, under its name', async () => {
      const { key, token } = await newKey('revoked')
      await panel.as('full').keyRevoke({ params: { id: key.id } })
      const answer = await withToken(token, '/api/jobs')
      assert.equal(answer.status, 401)
      const [row] = await rowOf(answer)
      assert.deepEqual([row?.status, row?.key_id, row?.key_name], [401, key.id, 'revoked'])
    })

    it('holds the requests over the limit, which tell how long to wait', async () => {
      const { key, token } = await newKey('hasty')
      const answers = await Promise.all(Array.from({ length: 303 }, () => withToken(token, '/api/health')))
      const over = answers.filter(({ status }) => status === 429)
      assert.equal(over.length, 3)
      for (const answer of over) {
        assert.ok(Number(answer.headers['retry-after']) >= 1 && Number(answer.headers['retry-after']) <= 60)
        const [row] = await rowOf(answer)
        assert.deepEqual([row?.status, row?.key_id], [429, key.id])
      }
      clock.forward(61_000)
      assert.equal((await withToken(token, '/api/health')).status, 200)
    })

    it('holds the job a request started, and none for the request that could not', async () => {
      const started = await withToken(panel.token.manage, '/api/test/start', { method: 'POST' })
      assert.equal(started.status, 202)
      const { job } = started.json() as { job: { id: string; startedBy: string } }
      assert.equal(started.headers.location, `/api/jobs/${job.id}`)
      assert.equal(job.startedBy, 'key test manage')
      assert.equal((await rowOf(started))[0]?.job_id, job.id)
      const refused = await withToken(panel.token['read-only'], '/api/test/start', { method: 'POST' })
      assert.equal(refused.status, 403)
      assert.equal((await rowOf(refused))[0]?.job_id, null)
    })

    it('holds a change before its answer is sent', async () => {
      for (let round = 0; round < 20; round += 1) {
        const answer = await withToken(panel.token.full, '/api/keys', {
          method: 'POST',
          body: { name: `change ${round}`, access: 'read-only' },
        })
        const found = (await rows()).some(row => row.request_id === answer.headers['x-request-id'])
        assert.ok(found, `change ${round} is not on record although it was answered`)
      }
    })

    it('holds nothing of a person in a browser, nor of callers no one knows', async () => {
      const owner = await panel.owner()
      const asked = [
        await panel.askAs(owner, '/api/keys'),
        await panel.askAs(owner, '/api/keys', { method: 'POST', body: { name: 'by a person', access: 'full' } }),
        await panel.askAs(owner, '/api/nowhere'),
        await panel.ask('/api/health'),
        await panel.ask('/api/keys'),
        await withToken(`${panel.token.full.slice(0, -1)}!`, '/api/keys'),
      ]
      await sleep(350)
      const ids = new Set((await rows()).map(row => row.request_id))
      for (const answer of asked) assert.ok(!ids.has(String(answer.headers['x-request-id'])))
    })

    it('keeps no query, no body and no header', async () => {
      const answer = await withToken(panel.token.full, '/api/keys?secret=in-the-query', {
        method: 'POST',
        body: { name: 'in the body', access: 'full' },
        headers: { 'user-agent': 'in the header' },
      })
      const text = JSON.stringify(await rowOf(answer))
      for (const part of ['in-the-query', 'in the body', 'in the header']) assert.ok(!text.includes(part), part)
    })
  })
}
