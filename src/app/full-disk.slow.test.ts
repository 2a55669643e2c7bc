import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { panelSnapshot } from '#features/panel/index.ts'
import { type Config, readConfig } from '#platform/config/config.ts'
import { TERMINAL } from '#platform/contract/job.ts'
import { findJob } from '#platform/jobs/job-store.ts'
import { scriptedJob } from '#test/support/job-types.ts'
import { packed } from '#test/support/packed.ts'
import { testPanel } from '#test/support/panel.ts'
import { freePort } from '#test/support/ports.ts'
import { type SmallDisk, smallDisk } from '#test/support/small-disk.ts'
import { SOAK } from '#test/support/soak.ts'
import { createKeyOnThisMachine } from './local.ts'
import { withLocalScope } from './local-scope.ts'
import { systemActor } from './world.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const TIMES = SOAK ? 50 : 5
const DISK_BYTES = 32 * 1024 ** 2
/** More than fit into the room that the database has set aside in its own files. */
const WRITES_UNTIL_FULL = 1000
/** Each may ask 300 times a minute. */
const CALLERS = 40
const WITHIN_MS = 40_000

const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
  for (const endsAt = Date.now() + WITHIN_MS; Date.now() < endsAt; await sleep(100)) if (await isSo()) return
  assert.fail(`${what} did not happen within ${WITHIN_MS} ms`)
}

interface Running {
  readonly child: ChildProcess
  ask(path: string, body?: object): Promise<{ status: number; json: unknown }>
}

/** As `./fleetpress up --detached` starts it: its log is a file in its data folder. */
const start = async (config: Config, tokens: readonly string[]): Promise<Running> => {
  const log = openSync(join(config.dataDir, 'panel.log'), 'a', 0o600)
  const child = spawn(process.execPath, [packed('src/main.ts')], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      FLEETPRESS_DATA: config.dataDir,
      FLEETPRESS_PORT: String(config.port),
      // Every request writes a line.
      LOG_LEVEL: 'debug',
    },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  let turn = 0
  const ask: Running['ask'] = async (path, body) => {
    assert.equal(child.exitCode, null, 'the panel ended')
    turn += 1
    const answer = await fetch(`http://127.0.0.1:${config.port}${path}`, {
      headers: { authorization: `Bearer ${tokens[turn % tokens.length]}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    })
    return { status: answer.status, json: await answer.json() }
  }
  await until('the start', async () => {
    assert.equal(child.exitCode, null, readFileSync(join(config.dataDir, 'panel.log'), 'utf8'))
    return (await ask('/api/health').catch(() => undefined))?.status === 200
  })
  return { child, ask }
}

const stop = async ({ child }: Running, signal: NodeJS.Signals): Promise<void> => {
  child.kill(signal)
  if (child.exitCode === null) await once(child, 'exit')
}

const newPanel = async (disk: SmallDisk) => {
  const config = readConfig({ FLEETPRESS_DATA: join(disk.path, 'data'), FLEETPRESS_PORT: String(await freePort()) })
  const tokens: string[] = []
  for (let count = 0; count < CALLERS; count += 1)
    tokens.push((await createKeyOnThisMachine(config, `caller ${count}`, 'full')).token)
  return { config, tokens, panel: await start(config, tokens) }
}

/** Changes things until a change is refused; what was acknowledged continues the list. */
const writeUntilRefused = async ({ ask }: Running, acknowledged: string[]): Promise<unknown> => {
  for (let count = 0; count < WRITES_UNTIL_FULL; count += 1) {
    const name = `key ${acknowledged.length} ${count} ${'x'.repeat(60)}`
    const { status, json } = await ask('/api/keys', { name, access: 'read-only' })
    if (status !== 201) return { status, ...(json as object) }
    acknowledged.push(name)
  }
  return assert.fail('the disk never was full')
}

const assertRefused = (refused: unknown, reason: RegExp): void => {
  const { status, error } = refused as { status: number; error: { code: string; message: string } }
  assert.deepEqual([status, error.code], [503, 'unavailable'])
  assert.match(error.message, reason)
}

/** Reads continue, and every place that tells how the panel is tells the truth. */
const assertTellsTruth = async ({ ask }: Running, reason: RegExp): Promise<void> => {
  await until('health saying so', async () => (await ask('/api/health')).status === 503)
  assertRefused({ status: 503, ...((await ask('/api/health')).json as object) }, reason)
  const overview = await ask('/api/overview')
  assert.equal(overview.status, 200)
  const [first] = (overview.json as { attention: { id: string; severity: string; detail: string }[] }).attention
  assert.deepEqual([first?.id, first?.severity], ['panel-health', 'critical'])
  assert.match(first?.detail ?? '', reason)
  for (const path of ['/api/keys', '/api/jobs', '/api/servers', '/api/settings'])
    assert.equal((await ask(path)).status, 200, path)
}

const namesOfKeys = async ({ ask }: Running): Promise<Set<string>> => {
  const { items } = (await ask('/api/keys')).json as { items: { name: string }[] }
  return new Set(items.map(({ name }) => name))
}

describe("the panel's own disk", { timeout: SOAK ? 3_600_000 : 300_000 }, () => {
  it(`is filled and freed ${TIMES} times: the panel stays up, says so, keeps what it acknowledged, and resumes`, async () => {
    using disk = smallDisk(DISK_BYTES)
    const { config, panel } = await newPanel(disk)
    try {
      const acknowledged: string[] = []
      const jobs: string[] = []
      for (let time = 0; time < TIMES; time += 1) {
        disk.fill()
        const refused = await writeUntilRefused(panel, acknowledged)
        assertRefused(refused, /panel's disk is full/)
        await assertTellsTruth(panel, /panel's disk is full/)
        disk.free()
        await until('being well again', async () => (await panel.ask('/api/health')).status === 200)
        jobs.push(await withLocalScope(config, async scope => (await scope.jobs.enqueue(panelSnapshot, {})).id))
      }
      const names = await namesOfKeys(panel)
      for (const name of acknowledged) assert.ok(names.has(name), `${name} was acknowledged and is lost`)
      for (const id of jobs) {
        const isOver = async () => {
          const { job } = (await panel.ask(`/api/jobs/${id}`)).json as { job: { status: string } }
          return (TERMINAL as readonly string[]).includes(job.status)
        }
        await until(`the end of job ${id}`, isOver)
      }
      assert.match(readFileSync(join(config.dataDir, 'panel.log'), 'utf8'), /answered/)
    } finally {
      await stop(panel, 'SIGTERM')
    }
    assert.equal(panel.child.exitCode, 0)
  })

  it('turns read-only: reads continue, changes are refused with the reason, and after a repair nothing is lost', async () => {
    using disk = smallDisk(DISK_BYTES)
    const { config, tokens, panel } = await newPanel(disk)
    const acknowledged: string[] = []
    try {
      disk.turnReadOnly()
      assertRefused(await writeUntilRefused(panel, acknowledged), /panel's disk is (?:read-only|failing)/)
      await assertTellsTruth(panel, /panel's disk is (?:read-only|failing)/)
      assert.equal(panel.child.exitCode, null)
    } finally {
      await stop(panel, 'SIGKILL')
    }
    disk.repair()
    const again = await start(config, tokens)
    try {
      const names = await namesOfKeys(again)
      for (const name of acknowledged) assert.ok(names.has(name), `${name} was acknowledged and is lost`)
      assert.equal((await again.ask('/api/keys', { name: 'after', access: 'read-only' })).status, 201)
    } finally {
      await stop(again, 'SIGTERM')
    }
  })

  it(`is filled and freed ${TIMES} times while jobs run: every job ends well, each step done`, async () => {
    using disk = smallDisk(DISK_BYTES)
    const diary: string[] = []
    const type = scriptedJob(diary)
    const panel = await testPanel({
      env: { FLEETPRESS_DATA: join(disk.path, 'data') },
      extraJobs: [type],
      engine: { leaseMs: 1500, pollMs: 100 },
    })
    try {
      await panel.engine.start()
      const { jobs, db } = panel.world.scope(systemActor('test'))
      const ids: string[] = []
      for (let time = 0; time < TIMES; time += 1) {
        disk.fill()
        const enqueueUntilRefused = async () => {
          for (let count = 0; count < WRITES_UNTIL_FULL; count += 1)
            ids.push((await jobs.enqueue(type, type.input.parse({ name: `${time}-${count}`, sleepMs: 50 }))).id)
        }
        await assert.rejects(enqueueUntilRefused, { code: 'SQLITE_FULL' })
        // Longer and shorter than a lease.
        await sleep(time % 2 === 0 ? 3000 : 300)
        disk.free()
      }
      for (const id of ids) {
        const rowOf = () => findJob(db, id)
        await until(`the end of job ${id}`, async () => TERMINAL.includes((await rowOf())?.status ?? 'queued'))
        const row = await rowOf()
        assert.deepEqual([row?.status, row?.error_message], ['succeeded', null])
      }
    } finally {
      await panel.close()
    }
  })
})
