import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { identify } from '#platform/host/process-identity.ts'
import { NODE } from '../../src/cli/repository.ts'
import { type Ended, freePort, runCli } from './run-cli.ts'

const LIMIT = { timeout: 300_000 }

const dataDir = join(mkdtempSync(join(tmpdir(), 'fleetpress-up-')), 'data')
const env: Record<string, string> = { FLEETPRESS_DATA: dataDir }

const fleetpress = (...words: string[]): Promise<Ended> => runCli(words, { env, limitMs: 120_000 })
const up = () => fleetpress('up', '--detached', '--no-server')
const pid = (): number => Number(readFileSync(join(dataDir, 'panel.pid'), 'utf8'))

interface Status {
  running: boolean
  healthy: boolean
  pid: number
  address: string
  version: string
  uptimeSeconds: number
  dataFolder: string
}

const status = async (): Promise<Status> => JSON.parse((await fleetpress('status', '--json')).stdout)

const good = (ended: Ended): Ended => {
  assert.equal(ended.code, 0, `${ended.stdout}${ended.stderr}`)
  return ended
}

void describe('up, status and down', LIMIT, () => {
  before(async () => {
    env.FLEETPRESS_PORT = String(await freePort())
  })

  after(async () => {
    await fleetpress('down')
    rmSync(join(dataDir, '..'), { recursive: true, force: true })
  })

  void test('a stopped panel is stopped, and stopping it again is harmless', async () => {
    const asked = await fleetpress('status')
    assert.equal(asked.code, 3)
    assert.match(asked.stdout, /stopped; start it with `\.\/fleetpress up`/)
    assert.match(good(await fleetpress('down')).stdout, /^The panel is not running\.\n$/)
  })

  void test('up starts it, shows every step with its time, and prints the setup link', async () => {
    const { stdout } = good(await up())
    const names = [
      'Configuration',
      'Rights',
      'System',
      'Disk',
      'Data folder',
      'Port',
      'Browser interface',
      'SSH ciphers',
      'Start',
      'Health',
    ]
    const steps = stdout.split('\n').filter(line => / \d+\.\d s$/.test(line))
    assert.equal(steps.length, names.length, stdout)
    for (const [at, name] of names.entries()) assert.ok(steps[at]?.startsWith(`✓ ${name}`), stdout)
    assert.match(stdout, /is running at http:\/\/localhost:\d+\n/)
    assert.match(stdout, /Open this link to create the owner \(works once\):\n {2}http:\/\/localhost:\d+\/setup#\S+\n/)
    assert.doesNotMatch(stdout, /\p{Cc}(?<!\n)/u, 'no colours and no rewritten lines without a terminal')
    assert.equal(statSync(dataDir).mode & 0o777, 0o700)
    assert.ok(existsSync(join(dataDir, 'panel.log')))
  })

  void test('it runs in its own session, and status tells the truth', async () => {
    const found = await status()
    assert.equal(found.running, true)
    assert.equal(found.healthy, true)
    assert.equal(found.pid, pid())
    assert.equal(found.address, `http://localhost:${env.FLEETPRESS_PORT}`)
    assert.equal(found.dataFolder, dataDir)
    assert.ok(found.uptimeSeconds < 120)
    const fields = readFileSync(`/proc/${found.pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
    assert.equal(Number(fields?.[3]), found.pid, 'the session it leads')
    assert.equal((await fleetpress('status')).code, 0)
  })

  void test('up twice, also at the same time, leaves it as it is and builds nothing', async () => {
    const first = pid()
    const { stdout } = good(await up())
    assert.match(stdout, /✓ Already running: process \d+/)
    assert.doesNotMatch(stdout, /Browser interface|Start/)
    for (const ended of await Promise.all([up(), up()])) good(ended)
    assert.equal(pid(), first)
  })

  void test('logs shows its lines, and a key of this machine works at once', async () => {
    assert.match(good(await fleetpress('logs', '-n', '5')).stdout, /listening/i)
    const made = good(await fleetpress('key', 'create', 'for a test', '--access', 'read-only'))
    assert.match(made.stdout, /^fp_ro_\S+\n$/)
    assert.match(made.stderr, /won't be shown again/)
    const asked = await runCli(['session', 'get', '--json'], {
      env: { FLEETPRESS_URL: `http://127.0.0.1:${env.FLEETPRESS_PORT}`, FLEETPRESS_KEY: made.stdout.trim() },
    })
    const session: { access: string } = JSON.parse(good(asked).stdout)
    assert.equal(session.access, 'read-only')
    assert.match(good(await fleetpress('keys', 'list')).stdout, /^ID .*NAME .*\n[\s\S]*for a test/)
  })

  void test('a changed configuration restarts it', async () => {
    const first = pid()
    env.LOG_LEVEL = 'warn'
    assert.match(good(await up()).stdout, /✓ Stop the panel with older code or configuration/)
    assert.notEqual(pid(), first)
    assert.equal(identify(first), undefined)
  })

  void test('a killed panel is stopped, and up starts another', async () => {
    const first = pid()
    process.kill(first, 'SIGKILL')
    while (identify(first)) await new Promise(resolve => setTimeout(resolve, 10))
    assert.equal((await fleetpress('status')).code, 3)
    good(await up())
    assert.notEqual(pid(), first)
  })

  void test('a pid that belongs to someone else now is left alone', async () => {
    good(await fleetpress('down'))
    const stranger = spawn(NODE, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    try {
      const record = {
        pid: stranger.pid,
        startTicks: 1,
        bootId: 'x',
        port: 1,
        listen: '127.0.0.1',
        publicUrl: '',
        fingerprint: '',
      }
      writeFileSync(join(dataDir, 'panel.json'), JSON.stringify(record))
      writeFileSync(join(dataDir, 'panel.pid'), `${stranger.pid}\n`)
      assert.equal((await fleetpress('status')).code, 3)
      assert.match(good(await fleetpress('down')).stdout, /not running/)
      assert.ok(identify(stranger.pid ?? 0), 'it still runs')
    } finally {
      stranger.kill('SIGKILL')
    }
  })

  void test('a port that is taken is said to be, and by whom', async () => {
    const server = createServer().listen(Number(env.FLEETPRESS_PORT), '127.0.0.1')
    try {
      const { code, stderr } = await up()
      assert.equal(code, 1)
      assert.match(
        stderr,
        /^Port \d+ is in use by .+ \(pid \d+\): stop it, or choose another port with FLEETPRESS_PORT\.\n$/,
      )
      assert.equal((await fleetpress('status')).code, 3)
    } finally {
      server.close()
    }
  })

  void test('a panel that cannot start says why, and leaves nothing behind', async () => {
    const database = join(dataDir, 'panel.db')
    const kept = readFileSync(database)
    writeFileSync(database, 'not a database at all'.repeat(1000))
    const { code, stderr } = await up()
    writeFileSync(database, kept)
    assert.equal(code, 1)
    assert.match(stderr, /The panel ended while it was starting: fix the error above/)
    assert.equal((await fleetpress('status')).code, 3)
  })

  void test('run is known to status and ends with down', async () => {
    const running = fleetpress('run')
    const deadline = Date.now() + 60_000
    while (Date.now() < deadline && !(await status()).healthy) await new Promise(resolve => setTimeout(resolve, 100))
    assert.equal((await status()).healthy, true)
    assert.equal((await fleetpress('run')).code, 5)
    good(await fleetpress('down'))
    assert.equal((await running).code, 0)
    assert.equal((await fleetpress('status')).code, 3)
  })
})
