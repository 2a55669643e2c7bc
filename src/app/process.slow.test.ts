import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, watch, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { setupLink } from '#app/local.ts'
import { buildPanel } from '#app/panel.ts'
import { type Config, readConfig } from '#platform/config/config.ts'
import { openDatabase } from '#platform/db/database.ts'
import { findMeta } from '#platform/db/meta-store.ts'
import { packed } from '#test/support/packed.ts'
import { ENGINES, type Engine, newConfig } from '#test/support/panel.ts'
import { freePort } from '#test/support/ports.ts'
import { sqliteFile } from './foundation.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const REFUSED_WITHIN_MS = 60_000
const UP_WITHIN_MS = 60_000

interface Ended {
  code: number | null
  afterMs: number
  said: string
}

interface Running {
  process: ChildProcess
  port: number
  ended: Promise<Ended>
}

const running = new Set<ChildProcess>()
const folders = new Set<string>()

const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetpress-process-'))
  folders.add(folder)
  return folder
}

afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
})
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const { PATH, HOME, NODE_COMPILE_CACHE } = process.env

/** The panel as people run it: its own process, configured by its environment, with sources that were compiled before. */
const start = (env: Record<string, string>, port: number): Running => {
  const began = performance.now()
  const given = { FLEETPRESS_PORT: String(port), LOG_LEVEL: 'warn', ...env }
  const child = spawn(process.execPath, [packed('src/main.ts')], {
    cwd: ROOT,
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...given },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = once(child, 'close').then(() => {
    running.delete(child)
    return { code: child.exitCode, afterMs: performance.now() - began, said }
  })
  return { process: child, port, ended }
}

const envOf = (config: Config): Record<string, string> => ({
  FLEETPRESS_DATA: config.dataDir,
  ...(config.databaseUrl === undefined ? {} : { DATABASE_URL: config.databaseUrl }),
})

const status = (port: number, path: string, agent?: Agent): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = request({ port, path, host: '127.0.0.1', ...(agent ? { agent } : {}) }, response => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    asked.on('error', reject).end()
  })

const untilUp = async (panel: Running) => {
  for (const until = Date.now() + UP_WITHIN_MS; Date.now() < until; await sleep(25)) {
    if (panel.process.exitCode !== null) assert.fail(`the panel ended: ${(await panel.ended).said}`)
    if ((await status(panel.port, '/api/health').catch(() => 0)) === 200) return
  }
  assert.fail('the panel did not come up')
}

const isListening = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

/** Starts it, expecting a refusal: 78, one sentence and what to do, and no open port. */
const refusal = async (env: Record<string, string>): Promise<string> => {
  const panel = start(env, await freePort())
  const { code, afterMs, said } = await panel.ended
  assert.equal(code, 78, `it ended with ${code}: ${said}`)
  assert.ok(afterMs < REFUSED_WITHIN_MS, `it took ${afterMs} ms`)
  assert.ok(!(await isListening(panel.port)))
  assert.match(said, /^[^\n]+\n$/, 'it says one line')
  return said
}

/** A panel that was started and stopped before. */
const usedPanel = async (engine: Engine): Promise<Config> => {
  const config = await newConfig(engine)
  folders.add(config.dataDir)
  await (await buildPanel(config)).close()
  return config
}

const stop = async (panel: Running) => {
  const began = performance.now()
  panel.process.kill('SIGTERM')
  const { code, said } = await panel.ended
  assert.equal(code, 0, said)
  return performance.now() - began
}

for (const engine of ENGINES) {
  describe(`the panel as a process on ${engine}`, { timeout: 300_000 }, () => {
    it('is refused with a master key that is empty, short, a sample, another one, or missing', async () => {
      const config = await usedPanel(engine)
      const file = join(config.dataDir, 'master.key')
      const right = readFileSync(file)
      const wrong = ['', right.toString().slice(0, 32), `${'0'.repeat(64)}\n`, `${randomBytes(32).toString('hex')}\n`]
      for (const text of wrong) {
        writeFileSync(file, text)
        assert.match(await refusal(envOf(config)), /master\.key .*Restore /)
      }
      rmSync(file)
      assert.match(await refusal(envOf(config)), /master\.key is missing\. Restore the copy/)
      assert.ok(!readdirSync(config.dataDir).includes('master.key'), 'no new key is made in its place')
      writeFileSync(file, right)
      await (await buildPanel(config)).close()
    })

    it('is refused on a database that a newer version used', async () => {
      const config = await usedPanel(engine)
      const database = await openDatabase({ sqliteFile: sqliteFile(config.dataDir), databaseUrl: config.databaseUrl })
      const untyped = database.db as unknown as Kysely<Record<string, Record<string, unknown>>>
      await untyped.insertInto('kysely_migration').values({ name: '9999-future', timestamp: 'later' }).execute()
      await database.close()
      assert.match(await refusal(envOf(config)), /newer Fleetpress/)
    })

    it('shares no secret with any other install, and lets only root read them', async () => {
      const installs = []
      for (let index = 0; index < 2; index += 1) {
        const config = await usedPanel(engine)
        const link = (await setupLink(config)) ?? ''
        const database = await openDatabase({ sqliteFile: sqliteFile(config.dataDir), databaseUrl: config.databaseUrl })
        const check = (await findMeta(database.db, 'master-key-check')) ?? ''
        await database.close()
        const [key, worker] = ['master.key', 'worker-id'].map(name => readFileSync(join(config.dataDir, name), 'utf8'))
        const secrets = [key?.trim() ?? '', worker?.trim() ?? '', check, link.split('#token=')[1] ?? '']
        for (const secret of secrets) assert.ok(secret.length >= 32)
        installs.push({ secrets, dataDir: config.dataDir })
      }
      const [one, two] = installs
      assert.ok(one && two)
      const bytesOfTwo = readdirSync(two.dataDir).map(name => readFileSync(join(two.dataDir, name)))
      for (const secret of one.secrets) {
        assert.ok(!two.secrets.includes(secret))
        for (const bytes of bytesOfTwo) assert.ok(!bytes.includes(secret))
      }
      assert.equal(statSync(join(one.dataDir, 'master.key')).mode & 0o777, 0o600)
      assert.equal(statSync(one.dataDir).mode & 0o777, 0o700)
    })

    it('runs once per data folder, writes for root alone, and ends cleanly on SIGTERM', async () => {
      const config = await newConfig(engine)
      folders.add(config.dataDir)
      const port = await freePort()
      const panel = start(envOf(config), port)
      await untilUp(panel)
      assert.match(await refusal(envOf(config)), /Another panel is using the data folder .*fleetpress down/)
      assert.equal(await status(port, '/api/health'), 200, 'the first one continues')
      for (const name of readdirSync(config.dataDir))
        assert.equal(statSync(join(config.dataDir, name)).mode & 0o077, 0, name)
      const agent = new Agent({ keepAlive: true })
      assert.equal(await status(port, '/api/health', agent), 200)
      assert.ok((await stop(panel)) < 25_000)
      agent.destroy()
      assert.ok(!(await isListening(port)))
    })

    it('comes up after kill -9 at any moment of its first start', async () => {
      for (const events of [1, 2, 4, 7, 11]) {
        const config = await newConfig(engine)
        folders.add(config.dataDir)
        const panel = start(envOf(config), await freePort())
        await killAfter(panel, config.dataDir, events)
        const again = await buildPanel(config)
        await again.server.ready()
        assert.equal((await again.server.inject({ url: '/api/health', headers: localHost(config) })).statusCode, 200)
        assert.match((await setupLink(config)) ?? '', /#token=/)
        await again.close()
        await (await buildPanel(config)).close()
      }
    })
  })
}

const localHost = ({ port }: Config) => ({ host: `localhost:${port}` })

/** Kills it when so many things have happened in its data folder, plus a moment. */
const killAfter = async (panel: Running, dataDir: string, events: number) => {
  let seen = 0
  const enough = new Promise<void>(resolve => {
    const watcher = watch(dataDir, () => {
      seen += 1
      if (seen === events) resolve()
    })
    void panel.ended.then(() => watcher.close())
  })
  await Promise.race([enough, sleep(2000, undefined, { ref: false })])
  await sleep(randomInt(0, 20))
  panel.process.kill('SIGKILL')
  assert.equal((await panel.ended).code, null)
}

describe('the panel as a process', { timeout: 300_000 }, () => {
  it('comes up as a process after its first start was killed, and after being killed while it served', async () => {
    const env = { FLEETPRESS_DATA: newFolder() }
    await killAfter(start(env, await freePort()), env.FLEETPRESS_DATA, 5)
    const second = start(env, await freePort())
    await untilUp(second)
    second.process.kill('SIGKILL')
    await second.ended
    const third = start(env, await freePort())
    await untilUp(third)
    await stop(third)
  })

  it('refuses a first start with a master key that is none', async () => {
    const dataDir = newFolder()
    writeFileSync(join(dataDir, 'master.key'), '')
    await refusal({ FLEETPRESS_DATA: dataDir })
  })

  it('refuses configuration that is wrong, and names the setting', async () => {
    const dataDir = newFolder()
    const wrong: [string, string][] = [
      ['FLEETPRESS_PORT', '0'],
      ['FLEETPRESS_PORT', '65536'],
      ['FLEETPRESS_PORT', 'http'],
      ['FLEETPRESS_LISTEN', 'everywhere'],
      ['PUBLIC_URL', 'panel.example.com'],
      ['PUBLIC_URL', 'ftp://panel.example.com'],
      ['TRUSTED_PROXIES', 'all'],
      ['TRUSTED_PROXIES', '10.0.0.1, *'],
      ['DATABASE_URL', 'mysql://localhost/x'],
      ['LOG_LEVEL', 'loud'],
    ]
    for (const [name, value] of wrong) {
      assert.throws(() => readConfig({ FLEETPRESS_DATA: dataDir, [name]: value }), new RegExp(name))
    }
    const [first, second] = [wrong[1], wrong[6]] as [[string, string], [string, string]]
    for (const [name, value] of [first, second])
      assert.match(await refusal({ FLEETPRESS_DATA: dataDir, [name]: value }), new RegExp(name))
    writeFileSync(join(dataDir, 'fleetpress.env'), 'PUBLIC_URL=nowhere\n')
    assert.match(await refusal({ FLEETPRESS_DATA: dataDir }), /PUBLIC_URL.*fleetpress\.env|fleetpress\.env.*PUBLIC_URL/)
    assert.match(await refusal({ FLEETPRESS_DATA: join(dataDir, 'fleetpress.env', 'x') }), /FLEETPRESS_DATA/)
    assert.deepEqual(readdirSync(dataDir), ['fleetpress.env'], 'nothing was made')
  })

  it('takes an empty list of proxies for no one', () => {
    for (const TRUSTED_PROXIES of ['', ' ', ',', ' , '])
      assert.deepEqual(readConfig({ FLEETPRESS_DATA: '/nowhere', TRUSTED_PROXIES }).trustedProxies, [])
  })
})
