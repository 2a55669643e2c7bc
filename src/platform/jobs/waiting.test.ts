import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { systemActor } from '#app/world.ts'
import { TERMINAL } from '#platform/contract/job.ts'
import { KnownError } from '#platform/contract/known-error.ts'
import { HostUnreachable } from '#platform/host/errors.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { findJob, type JobRow, takeOverJobs } from './job-store.ts'
import { defineJob } from './job-type.ts'
import { serverLane } from './lane.ts'
import { TryLater } from './stop.ts'

const LIMIT_MS = 15_000
const RETRY_MS = 100

interface Input {
  site: string
  /** Fails at the second step, and is undone. */
  fails?: boolean | undefined
  sleepMs?: number | undefined
  /** Waits for something else at the second step, until the diary has `ready`. */
  waits?: boolean | undefined
}

/** What a server that is down does to a job of a site; `isDown` says whether it is. */
const world = () => {
  const diary: string[] = []
  const server = { isDown: false }
  const reach = async (what: string) => {
    if (server.isDown) throw new HostUnreachable('web2', new Error('no route'))
    diary.push(what)
  }
  const type = defineJob<Input, Record<string, never>, Record<string, never>>({
    type: 'test.onSite',
    label: 'Work on a site',
    description: 'Reaches a server that may be down.',
    category: 'test',
    timeoutMs: 60_000,
    input: z.strictObject({
      site: z.string(),
      fails: z.boolean().optional(),
      sleepMs: z.number().optional(),
      waits: z.boolean().optional(),
    }),
    result: z.strictObject({}),
    target: ({ site }) => ({ siteSlug: site, serverId: 2 }),
    lanes: () => [serverLane(2)],
    withdraw: async (_, { site }) => void diary.push(`withdraw ${site}`),
    steps: [
      { id: 'keep-row', label: 'Keeping the row', run: async () => {}, undo: async () => void diary.push('undo row') },
      {
        id: 'create',
        label: 'Creating it',
        run: async ({ input, signal }) => {
          await sleep(input.sleepMs ?? 0, undefined, { signal })
          if (input.waits && !diary.includes('ready')) throw new TryLater('Waiting for an image', 50)
          if (input.fails) throw new ToldToFail()
        },
        undo: () => reach('undo create'),
      },
      { id: 'erase', label: 'Erasing it', final: true, run: () => reach('erase') },
    ],
    finish: () => ({}),
  })
  return { diary, server, type }
}

class ToldToFail extends KnownError {
  readonly code = 'told'

  constructor() {
    super('told to fail')
  }
}

for (const engineName of ENGINES) {
  describe(`a job that has to wait, on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let { diary, server, type } = world()
    afterEach(() => panel.stop())

    const start = async (config?: TestPanel['config']) => {
      const engine = { retryMs: RETRY_MS }
      panel = await testPanel({ engineName, extraJobs: [type], engine, ...(config && { config }) })
      await panel.engine.start()
    }
    const begin = async () => {
      const made = world()
      diary = made.diary
      server = made.server
      type = made.type
      await start()
    }
    const enqueue = (input: Input) => panel.world.scope(systemActor('test')).jobs.enqueue(type, input)
    const until = async (id: string, isSo: (row: JobRow) => boolean): Promise<JobRow> => {
      const deadline = Date.now() + LIMIT_MS
      for (;;) {
        const row = await findJob(panel.foundation.database.db, id)
        assert.ok(row)
        if (isSo(row)) return row
        assert.ok(Date.now() < deadline, `${row.status}, ${row.step}`)
        await sleep(10)
      }
    }
    const hasEnded = ({ status }: JobRow) => TERMINAL.includes(status)
    const waits = ({ retry_at }: JobRow) => retry_at !== null

    it('keeps its site and what it has not undone, but not its lanes, until the server is back', async () => {
      await begin()
      server.isDown = true
      const { id } = await enqueue({ site: 'shop', fails: true })
      const waiting = await until(id, waits)
      assert.deepEqual([waiting.status, waiting.undoing, waiting.error_code], ['queued', 1, 'told'])
      assert.equal(waiting.step, 'Waiting to undo: Creating it')
      await assert.rejects(enqueue({ site: 'shop' }), { code: 'job_conflict' })
      const lanes = await panel.foundation.database.db.selectFrom('job_lane').selectAll().execute()
      assert.ok(lanes.length <= 1, 'it stands in its lane only while it tries')
      assert.deepEqual(diary, [], 'the row is kept as long as something may be left')
      server.isDown = false
      const row = await until(id, hasEnded)
      assert.deepEqual([row.status, row.error_code, row.error_message], ['failed', 'told', 'told to fail'])
      assert.deepEqual(diary, ['undo create', 'undo row'])
      await until((await enqueue({ site: 'shop' })).id, hasEnded)
    })

    it('lets jobs of other sites through while it waits', async () => {
      await begin()
      server.isDown = true
      const { id } = await enqueue({ site: 'shop', fails: true })
      await until(id, waits)
      const other = await enqueue({ site: 'bakery', sleepMs: 1 })
      await until(other.id, row => row.started_at !== null)
    })

    it('succeeds late instead of failing, once there is no way back', async () => {
      await begin()
      server.isDown = true
      const { id } = await enqueue({ site: 'shop' })
      const waiting = await until(id, waits)
      assert.deepEqual([waiting.undoing, waiting.error_code], [0, 'host_unreachable'])
      server.isDown = false
      const row = await until(id, hasEnded)
      assert.deepEqual([row.status, row.error_code, diary], ['succeeded', null, ['erase']])
    })

    it('still waits after the panel was restarted', async () => {
      await begin()
      server.isDown = true
      const { id } = await enqueue({ site: 'shop', fails: true })
      await until(id, waits)
      await panel.close()
      await start(panel.config)
      server.isDown = false
      await until(id, hasEnded)
      assert.deepEqual(diary, ['undo create', 'undo row'])
    })

    it('is given up when a person cancels it', async () => {
      await begin()
      server.isDown = true
      const { id } = await enqueue({ site: 'shop', fails: true })
      await until(id, waits)
      await panel.as('manage').jobCancel({ params: { id } })
      const row = await until(id, hasEnded)
      assert.equal(row.status, 'failed')
      assert.match(row.error_message ?? '', /^told to fail Given up on request; what is left stays as it is\.$/)
      assert.deepEqual(diary, [])
    })

    it('lets others pass while a step waits for something that needs no lane, and can be canceled then', async () => {
      await begin()
      const first = await enqueue({ site: 'shop', waits: true })
      const second = await enqueue({ site: 'bakery', waits: true })
      const waiting = await until(first.id, waits)
      assert.deepEqual([waiting.step, waiting.error_code], ['Waiting for an image', null])
      await until(second.id, waits)
      await panel.as('manage').jobCancel({ params: { id: second.id } })
      const canceled = await until(second.id, hasEnded)
      assert.deepEqual([canceled.status, diary], ['canceled', ['undo create', 'undo row']])
      diary.push('ready')
      assert.equal((await until(first.id, hasEnded)).status, 'succeeded')
    })

    it('withdraws what came with it when it is canceled before it starts', async () => {
      await begin()
      const first = await enqueue({ site: 'shop', sleepMs: 2000 })
      await until(first.id, row => row.status === 'running')
      const second = await enqueue({ site: 'bakery' })
      await panel.as('manage').jobCancel({ params: { id: second.id } })
      assert.deepEqual(diary, ['withdraw bakery'])
      await panel.as('manage').jobCancel({ params: { id: first.id } })
      await until(first.id, hasEnded)
      assert.ok(!diary.includes('withdraw shop'), 'one that has started is undone instead')
    })

    it('counts deaths of the panel, not a database that was away or a panel that was stopped', async () => {
      await begin()
      const { id } = await enqueue({ site: 'shop', sleepMs: 60_000 })
      const { worker } = await until(id, row => row.status === 'running')
      const { db } = panel.foundation.database
      const crashes = async () => (await findJob(db, id))?.crashes
      const take = (own: boolean, leaseUntil: number) => takeOverJobs(db, worker ?? '', own, Date.now(), leaseUntil)
      await take(true, 1)
      assert.equal(await crashes(), 1)
      await take(false, 0)
      assert.equal(await crashes(), 1)
      await take(true, Date.now() + 60_000)
      assert.equal(await crashes(), 1)
    })
  })
}
