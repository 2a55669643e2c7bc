import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import * as monitoring from '#migrations/0004-monitoring.ts'
import { type Database, openDatabase } from '#platform/db/database.ts'
import { migrate } from '#platform/db/migrate.ts'
import type { Background } from '#platform/feature.ts'
import { type Command, render } from '#platform/host/command.ts'
import type { Host, RunOptions } from '#platform/host/host.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { ENGINES } from '#test/support/panel.ts'
import { newPostgresDatabase } from '#test/support/postgres.ts'
import { latestOf } from './latest.ts'
import { type SamplerOptions, startSampler } from './sampler.ts'

const MINUTE = 60_000
const SITE = { id: 'a'.repeat(64), name: 'site-shop', labels: { 'fleetpress.site': 'shop' } }

/** Waits until the caller gives up. */
const noAnswer = (signal?: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))

/** Counts the samples, also those under way; they can be made to hang, as on a machine that lost its network. */
class WatchedHost extends LocalHost {
  hangs = false
  samples = 0
  atOnce = 0
  mostAtOnce = 0

  override async run(command: Command, options: RunOptions = {}) {
    if (!render(command).includes('loadavg')) return super.run(command, options)
    this.samples += 1
    this.atOnce += 1
    this.mostAtOnce = Math.max(this.atOnce, this.mostAtOnce)
    try {
      return await (this.hangs ? noAnswer(options.signal) : super.run(command, options))
    } finally {
      this.atOnce -= 1
    }
  }
}

const until = async (met: () => boolean | Promise<boolean>) => {
  const deadline = performance.now() + 30_000
  while (!(await met())) {
    assert.ok(performance.now() < deadline, 'it did not happen within 30 s')
    await sleep(5)
  }
}

/** Time that passes when the test says so. */
const stepper = () => {
  let now = 1_750_000_000_000
  let waiting: PromiseWithResolvers<void> | undefined
  const waits: number[] = []
  return {
    waits,
    now: () => now,
    wait: (ms: number, signal: AbortSignal): Promise<void> => {
      waits.push(ms)
      const made = Promise.withResolvers<void>()
      waiting = made
      signal.addEventListener('abort', () => made.reject(signal.reason))
      return made.promise
    },
    /** Once the round before has ended. */
    next: async () => {
      await until(() => waiting !== undefined)
      now += waits.at(-1) ?? 0
      waiting?.resolve()
      waiting = undefined
    },
  }
}

for (const engine of ENGINES) {
  describe(`the sampler on ${engine}`, { timeout: 300_000 }, () => {
    let folder: string
    let database: Database
    let sampler: Background | undefined
    let logged: { level: number; msg: string }[]

    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'fleetpress-sampler-'))
      const databaseUrl = engine === 'postgres' ? await newPostgresDatabase() : undefined
      database = await openDatabase({ sqliteFile: join(folder, 'panel.db'), databaseUrl })
      await migrate(database.db, { '0004-monitoring': monitoring })
      logged = []
    })
    afterEach(async () => {
      await sampler?.stop()
      sampler = undefined
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const start = (
      hosts: ReadonlyMap<number, Host>,
      time: ReturnType<typeof stepper>,
      more: Partial<SamplerOptions> = {},
    ) => {
      const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
      const get = (id: number) => {
        const host = hosts.get(id)
        if (!host) throw new Error(`no server ${id}`)
        return host
      }
      const noOp = async () => {}
      sampler = startSampler({
        scope: { database, db: database.db, log, now: time.now, hosts: { get, forget: noOp, close: noOp } },
        listServers: async () => [...hosts.keys()].map(id => ({ id })),
        listContainers: async () => [SITE],
        wait: time.wait,
        ...more,
      })
      return latestOf(database)
    }
    const rowsOf = (subject: 'server:1' | 'server:2' | 'site:shop') =>
      database.db.selectFrom('sample').selectAll().where('subject', '=', subject).orderBy('at').execute()

    it('keeps one row a minute per server and site, and the latest for the overview', async () => {
      const time = stepper()
      const answers: number[] = []
      const latest = start(new Map([[1, new LocalHost()]]), time, {
        onAnswer: async serverId => void answers.push(serverId),
      })
      for (let count = 1; count <= 3; count += 1) {
        await time.next()
        await until(() => answers.length === count)
      }
      const rows = await rowsOf('server:1')
      assert.deepEqual(
        rows.map(row => row.at % MINUTE),
        [0, 0, 0],
      )
      assert.deepEqual([rows[0]?.cpu_ppm, typeof rows[2]?.cpu_ppm], [null, 'number'])
      assert.ok(rows.every(row => (row.mem_kib ?? 0) > 0 && (row.disk_mib ?? 0) > 0))
      assert.deepEqual(
        (await rowsOf('site:shop')).map(row => [row.up_percent, row.mem_kib]),
        [0, 1, 2].map(() => [0, null]),
      )
      const state = latest.get(1)
      assert.deepEqual([state?.reachable, state?.at], [true, time.now()])
      assert.ok((state?.sample?.memTotalBytes ?? 0) > 0)
      await until(() => time.waits.length === 4)
      assert.equal(time.waits[0], 5000)
      assert.ok(time.waits.slice(1).every(ms => ms > 0 && ms <= MINUTE))
      assert.equal((time.now() + (time.waits[3] ?? 0)) % MINUTE, 30_000)
    })

    it('loses one server that hangs, not the others, and says so once', async () => {
      const time = stepper()
      const [good, bad] = [new LocalHost(), new WatchedHost()]
      const latest = start(
        new Map<number, Host>([
          [1, good],
          [2, bad],
        ]),
        time,
        { timeoutMs: 1500 },
      )
      const round = async (reachable: boolean) => {
        const answered = () => latest.get(1)?.at ?? null
        const before = answered()
        await time.next()
        await until(() => answered() !== before && bad.atOnce === 0 && latest.get(2)?.reachable === reachable)
      }
      await round(true)
      bad.hangs = true
      for (let count = 2; count <= 4; count += 1) {
        await round(false)
        await until(() => bad.samples === count && bad.atOnce === 0)
      }
      bad.hangs = false
      await round(true)
      await until(async () => (await rowsOf('server:2')).length === 2)
      await until(async () => (await rowsOf('server:1')).length === 5)
      assert.deepEqual(
        logged.filter(line => line.msg.includes('server 2')).map(line => line.msg),
        ['sampling server 2 failed', 'sampling server 2 works again'],
      )
    })

    it('never asks a server that has not answered yet', async () => {
      const time = stepper()
      const slow = new WatchedHost()
      slow.hangs = true
      start(new Map([[1, slow]]), time, { timeoutMs: 1000 })
      for (let count = 1; count <= 5; count += 1) {
        await time.next()
        await until(() => time.waits.length === count + 1)
      }
      await until(() => slow.samples === 1)
      await until(() => slow.atOnce === 0)
      assert.deepEqual([slow.samples, slow.mostAtOnce], [1, 1])
    })

    it('asks eight servers at once, no more, and gets round to all', async () => {
      const time = stepper()
      const one = new WatchedHost()
      one.hangs = true
      const hosts = new Map(Array.from({ length: 20 }, (_, index) => [index + 1, one]))
      const latest = start(hosts, time, { timeoutMs: 200 })
      await time.next()
      await until(() => latest.size === 20 && [...latest.values()].every(state => state.reachable === false))
      assert.equal(one.mostAtOnce, 8)
      assert.equal(one.samples, 20)
    })

    it('lets others read a server after each sample, one at a time, and never waits for them', async () => {
      const time = stepper()
      const begun: AbortSignal[] = []
      const ends: (() => void)[] = []
      const afterSample = (_: number, signal: AbortSignal) => {
        begun.push(signal)
        return new Promise<void>(resolve => ends.push(resolve))
      }
      start(new Map([[1, new LocalHost()]]), time, { afterSample })
      for (let count = 1; count <= 3; count += 1) {
        await time.next()
        await until(async () => (await rowsOf('server:1')).length === count)
      }
      assert.equal(begun.length, 1)
      ends[0]?.()
      await time.next()
      await until(() => begun.length === 2)
      const stopped = sampler?.stop()
      assert.equal(begun[1]?.aborted, true)
      ends[1]?.()
      await stopped
    })

    it('forgets a server that is gone, and stops at once though one hangs', async () => {
      const time = stepper()
      const bad = new WatchedHost()
      const hosts = new Map<number, Host>([
        [1, new LocalHost()],
        [2, bad],
      ])
      const ids = new Set(hosts.keys())
      const latest = start(hosts, time, { listServers: async () => [...ids].map(id => ({ id })) })
      await time.next()
      await until(() => latest.get(2)?.reachable === true && time.waits.length === 2)
      ids.delete(1)
      bad.hangs = true
      await time.next()
      await until(() => bad.samples === 2 && bad.atOnce === 1)
      assert.deepEqual([...latest.keys()], [2])
      const began = performance.now()
      await sampler?.stop()
      assert.ok(performance.now() - began < 5000)
      assert.equal(latest.get(2)?.reachable, true, 'being stopped says nothing about the server')
      assert.deepEqual(logged, [])
    })
  })
}
