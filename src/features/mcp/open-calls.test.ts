import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { z } from 'zod'
import { systemActor } from '#app/world.ts'
import { defineJob } from '#platform/jobs/job-type.ts'
import { namedLane } from '#platform/jobs/lane.ts'
import { connectionTo, dataIn, openApp } from '#test/support/mcp.ts'
import { addPerson, ownerOf } from '#test/support/outbox.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'

const WITHIN_MS = 5000

/** Ends when it is told to. */
const slowJob = (released: Promise<void>) =>
  defineJob<Record<string, never>, Record<string, never>, { said: string }>({
    type: 'test.slow',
    label: 'Slow',
    description: 'Waits.',
    category: 'test',
    timeoutMs: 60_000,
    input: z.strictObject({}),
    result: z.strictObject({ said: z.string() }),
    target: () => ({}),
    lanes: () => [namedLane('test')],
    steps: [{ id: 'wait', label: 'Waiting', run: () => released }],
    finish: () => ({ said: 'done' }),
  })

for (const engineName of ENGINES) {
  describe(`open calls of AI apps on ${engineName}`, { timeout: 120_000 }, () => {
    let panel: TestPanel
    let release = () => {}
    const type = slowJob(
      new Promise(resolve => {
        release = resolve
      }),
    )
    let job = ''
    before(async () => {
      panel = await testPanel({ engineName, extraJobs: [type] })
      await panel.engine.start()
      job = (await panel.world.scope(systemActor('test')).jobs.enqueue(type, {})).id
    })
    after(async () => {
      release()
      await panel.stop()
    })

    /** A connection that one admin created, and another admin who locks them. */
    const lockable = async () => {
      const [owner, anna] = [await ownerOf(panel), await addPerson(panel, 'anna@example.com')]
      const body = { name: 'Test app', access: 'read-only' }
      const made = await panel.askAs(anna, '/api/mcp/connections', { method: 'POST', body })
      const locked = { disabled: true, password: owner.password }
      const lock = () => panel.askAs(owner, `/api/admins/${anna.id}`, { method: 'PATCH', body: locked })
      return { token: (made.json() as { token: string }).token, end: lock }
    }

    const endable = async (how: 'paused' | 'revoked') => {
      const { connection, token } = await connectionTo(panel, { access: 'read-only' })
      const params = { id: connection.id }
      const { mcpConnectionUpdate, mcpConnectionRevoke } = panel.as('full')
      const end = (): Promise<unknown> =>
        how === 'paused' ? mcpConnectionUpdate({ params, body: { paused: true } }) : mcpConnectionRevoke({ params })
      return { token, end }
    }

    for (const [how, era] of [
      ['paused', 'modern'],
      ['revoked', 'modern'],
      ['revoked', 'legacy'],
      ['locked with its creator', 'modern'],
    ] as const) {
      it(`end within 5 s when the connection is ${how}, ${era}`, async () => {
        const { token, end } = how === 'locked with its creator' ? await lockable() : await endable(how)
        const app = await openApp(panel, token, { era })
        const waiting = app.call('wait_for_job', { job, seconds: 50 }).then(
          answer => answer.text,
          (error: unknown) => String(error),
        )
        await new Promise(resolve => setTimeout(resolve, 300))
        const from = Date.now()
        await end()
        const text = await waiting
        assert.ok(Date.now() - from < WITHIN_MS, `it took ${Date.now() - from} ms`)
        assert.ok(!text.includes('test.slow'), text)
      })
    }

    it('answer what the job produced once it has ended', async () => {
      const { token } = await connectionTo(panel, { access: 'read-only' })
      const app = await openApp(panel, token)
      const early = await app.call('wait_for_job', { job, seconds: 0 })
      assert.equal((dataIn(early.text) as { job: { status: string } }).job.status, 'running')
      const waiting = app.call('wait_for_job', { job })
      release()
      const { job: ended } = dataIn((await waiting).text) as { job: { status: string; result: unknown } }
      assert.deepEqual([ended.status, ended.result], ['succeeded', { said: 'done' }])
    })

    it('start jobs whose origin is an AI connection, and are on record with them', async () => {
      const { connection, token } = await connectionTo(panel, { name: 'Nightly', access: 'full' })
      const app = await openApp(panel, token)
      const run = await app.call('call', { endpoint: 'scheduleRun', params: { id: 'panel-snapshot' } })
      assert.equal(run.isError, false, run.text)
      const { items } = await panel.as('full').jobList({ query: { origin: 'mcp' } })
      assert.equal(items[0]?.startedBy, 'AI connection Nightly')
      const activity = await panel.as('full').mcpConnectionActivity({ params: { id: connection.id } })
      assert.equal(activity.items[0]?.jobId, items[0]?.id)
    })
  })
}
