import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { type Pebble, startPebble } from '../support/pebble.ts'
import { type FreshMachine, freshMachine } from './fresh-machine.ts'
import { type Visitor, visitor } from './published.ts'
import type { Ended } from './run.ts'
import { until } from './until.ts'
import { type Fleet, vps } from './vps.ts'

const FIRST_LIMIT_MS = 4 * 60_000
const AGAIN_LIMIT_MS = 10_000
const BACK_LIMIT_MS = 60_000
const NAME = 'panel.example.test'
const OWNER = 'owner@example.com'
const README = join(import.meta.dirname, '..', '..', 'README.md')

let fleet: Fleet
let machine: FreshMachine
let pebble: Pebble
let firstTookMs = Number.POSITIVE_INFINITY

const good = ({ exitCode, stdout, stderr }: Ended): string => {
  assert.equal(exitCode, 0, `${stdout}${stderr}`)
  return stdout
}

const timed = async (...words: string[]) => {
  const startedAt = performance.now()
  const ended = await machine.fleetpress(...words)
  return { ...ended, tookMs: performance.now() - startedAt }
}

const ask = async (...words: string[]): Promise<unknown> =>
  JSON.parse(good(await machine.fleetpress(...words, '--json')))

interface Job {
  id: string
  type: string
  status: string
  error: { message: string } | null
}

/** Newest first. */
const provisionings = async (): Promise<Job[]> => {
  const { items } = (await ask('jobs', 'list', '--type', 'server.provision')) as { items: Job[] }
  return items
}

const newKey = async (name: string): Promise<string> =>
  good(await machine.fleetpress('key', 'create', name, '--access', 'full')).trim()

const answersOnLoopback = async (): Promise<boolean> => {
  const { exitCode } = await machine.vps.exec(['curl', '-fsS', 'http://localhost:8080/api/health'])
  return exitCode === 0
}

const stack = () => machine.shell(`docker ps --format '{{.Names}} {{.Image}}' | sort`)

const newVisitor = async (): Promise<Visitor> => visitor(machine.vps.address, await pebble.rootPem())

/** The lines of `up` that tell how long something took. */
const showTimes = (t: TestContext, { stdout, stderr }: Ended): void => {
  for (const line of `${stderr}${stdout}`.split('\n')) if (/ \d+(\.\d)? s$/.test(line)) t.diagnostic(line)
}

before(async () => {
  fleet = await vps(1)
  const [server] = fleet.servers
  assert.ok(server)
  machine = await freshMachine(server)
  const gateway = server.address.replace(/\d+$/, '1')
  pebble = await startPebble({ httpPort: 80, listen: gateway, address: gateway })
})

after(async () => {
  await pebble?.stop()
  await fleet?.[Symbol.asyncDispose]()
})

void describe('./fleetpress up', () => {
  void test('takes a blank machine to a ready server 1', { timeout: 600_000 }, async t => {
    const first = await timed('up')
    showTimes(t, first)
    t.diagnostic(`in all ${Math.round(first.tookMs / 1000)} s`)
    assert.match(
      good(first),
      /Open this link to create the owner \(works once\):\n {2}http:\/\/localhost:8080\/setup#token=/,
    )
    assert.match(first.stderr, /✓ Set up server/)
    assert.match(
      await stack(),
      /^fleetpress-database \S+\nfleetpress-database-proxy \S+\nfleetpress-edge \S+\nfleetpress-relay \S+$/,
    )
    assert.equal(
      await machine.shell('systemctl is-active fleetpress && systemctl is-enabled fleetpress'),
      'active\nenabled',
    )
    firstTookMs = first.tookMs
  })

  void test('needs less than four minutes for that, alone on two processors', () => {
    assert.ok(firstTookMs < FIRST_LIMIT_MS, `${firstTookMs} ms`)
  })

  void test('a second time does nothing, in seconds', { timeout: 60_000 }, async t => {
    const again = await timed('up')
    t.diagnostic(`in all ${Math.round(again.tookMs)} ms`)
    assert.match(good(again), /✓ Already running[^]*✓ This machine as server 1: ready/)
    assert.equal((await provisionings()).length, 1)
    assert.ok(again.tookMs < AGAIN_LIMIT_MS, `${again.tookMs} ms`)
  })

  void test('makes the first site with the words of the README', { timeout: 600_000 }, async t => {
    const [, words = ''] = /^ {4}\.\/fleetpress (sites create .*)$/m.exec(readFileSync(README, 'utf8')) ?? []
    const made = await timed(...words.split(' '))
    showTimes(t, made)
    const [, password = ''] = /^adminPassword +(\S+)$/m.exec(good(made)) ?? []
    assert.match(made.stdout, /^url +http:\/\/hello\.localhost$/m)
    assert.match(made.stderr, /→ Copying WordPress \(2\/4\)[^]*✓ Create site/)
    const signIn = ['log=you', '--data-urlencode', `pwd=${password}`, 'http://hello.localhost/wp-login.php']
    const cookies = await machine.vps.exec(['curl', '-sS', '-b', 'wordpress_test_cookie=1', '-D', '-', '-d', ...signIn])
    assert.match(cookies.stdout, /set-cookie: wordpress_logged_in/i)
  })

  void test('sets the machine up again when an image has changed', { timeout: 180_000 }, async () => {
    const edge = async () => /^fleetpress-edge (\S+)$/m.exec(await stack())?.[1]
    const old = await edge()
    await machine.shell('echo "# changed" >> /opt/fleetpress/images/edge/rootfs/usr/local/bin/healthcheck')
    good(await machine.fleetpress('up'))
    assert.equal((await provisionings()).length, 2)
    assert.notEqual(await edge(), old)
  })

  void test('says what someone who is not root goes without', { timeout: 120_000 }, async () => {
    await machine.shell('useradd --create-home guest')
    const env = ['FLEETPRESS_DATA=/home/guest/data', 'FLEETPRESS_PORT=8090']
    const asGuest = (...words: string[]) =>
      machine.vps.exec([
        'runuser',
        '-u',
        'guest',
        '--',
        'env',
        '-C',
        '/opt/fleetpress',
        ...env,
        './fleetpress',
        ...words,
      ])
    assert.match(good(await asGuest('up')), /✓ This machine as server 1: skipped, only root can set it up/)
    const { exitCode, stderr } = await asGuest('up', '--domain', NAME)
    assert.equal(exitCode, 1)
    assert.match(stderr, /only root can set up: run it with sudo/)
    good(await asGuest('down'))
  })
})

void describe('./fleetpress up --domain', () => {
  void test('says that the name does not point here, and the panel stays', { timeout: 180_000 }, async () => {
    await machine.shell('cat > /etc/fleetpress-authority.pem', readFileSync(pebble.caFile, 'utf8'))
    await machine.shell(
      'cat >> /var/lib/fleetpress/fleetpress.env',
      'FLEETPRESS_CA_FILE=/etc/fleetpress-authority.pem\n',
    )
    const settings = { certificates: { directoryUrl: pebble.directoryUrl } }
    good(await machine.fleetpress('settings', 'update', '--yes', '--body', JSON.stringify(settings)))
    const { exitCode, stderr } = await machine.fleetpress('up', '--domain', NAME, '--email', OWNER)
    assert.equal(exitCode, 1)
    assert.match(stderr, /panel\.example\.test/)
    assert.match(stderr, /The panel is running at http:\/\/localhost:8080, but it couldn't be pub/)
    assert.ok(await answersOnLoopback())
    assert.equal((await provisionings())[0]?.status, 'failed')
    assert.match(await stack(), /fleetpress-edge/)
  })

  void test('publishes the panel once the name points here', { timeout: 180_000 }, async () => {
    await pebble.leadTo(machine.vps.address)
    const published = await machine.fleetpress('up', '--domain', NAME, '--email', OWNER)
    const link = /https:\/\/panel\.example\.test\/setup#token=(\S+)/.exec(good(published))
    const { https, http } = await newVisitor()
    const health = await https(NAME, { path: '/api/health' })
    assert.equal(health.status, 200)
    assert.match(health.issuer, /^Pebble Intermediate/)
    const plain = await http(NAME, { path: '/jobs?a=b' })
    assert.deepEqual([plain.status, plain.headers.location], [301, `https://${NAME}/jobs?a=b`])
    assert.equal((await http('other.example.test')).status, 421)
    const owner = { token: link?.[1], email: OWNER, name: 'Owner', password: 'correct horse battery staple' }
    assert.equal((await https(NAME, { path: '/setup', body: owner })).status, 201)
  })

  void test('only the edge is open to others', { timeout: 60_000 }, async () => {
    const listening = await machine.shell(`ss -Hltn | awk '{print $4}' | grep -E ':(80|443|8080)$' | sort -u`)
    assert.deepEqual(
      listening.split('\n').filter(place => place.endsWith(':8080')),
      ['127.0.0.1:8080'],
    )
    assert.ok(listening.includes('0.0.0.0:443'))
  })

  void test('sends links to its name, and knows who asks', { timeout: 60_000 }, async () => {
    const { https } = await newVisitor()
    await https(NAME, { path: '/api/auth/forgot-password', body: { email: OWNER } })
    const letters = () => machine.shell('cat /var/lib/fleetpress/outbox/*.txt 2> /dev/null || true')
    await until('A letter', async () => (await letters()).includes('https://panel.example.test/'), BACK_LIMIT_MS)
    const key = await newKey('visitor')
    assert.equal((await https(NAME, { path: '/api/servers', key })).status, 200)
    const { items } = (await ask('keys', 'activity', '--q', 'visitor')) as { items: { address: string }[] }
    assert.equal(items[0]?.address, machine.vps.address.replace(/\d+$/, '1'))
  })

  void test('carries the terminal', { timeout: 60_000 }, async () => {
    const { terminal } = await newVisitor()
    const key = await newKey('terminal')
    assert.equal(await terminal(NAME, key, 'echo "name "$(hostname)', /name (\w+)/), machine.vps.name)
  })

  void test('lasts when up is run without it', { timeout: 60_000 }, async () => {
    const before = (await provisionings()).length
    assert.match(good(await machine.fleetpress('up')), /is running at https:\/\/panel\.example\.test\n/)
    assert.equal((await provisionings()).length, before)
  })
})

/** Waits before it does what it was told, and counts how often it was started. */
const SLOW_APT = `#!/bin/sh
echo "$$" >> /var/tmp/apt-starts
while [ ! -e /var/tmp/apt-go ]; do sleep 0.1; done
exec /usr/bin/apt-get "$@"
`

void describe('the panel under systemd', () => {
  void test('finds a long command again that outlived it', { timeout: 180_000 }, async () => {
    await machine.shell('apt-get remove -y zstd')
    await machine.shell('cat > /usr/local/sbin/apt-get && chmod 755 /usr/local/sbin/apt-get', SLOW_APT)
    const starts = () => machine.shell('wc -l < /var/tmp/apt-starts 2> /dev/null || echo 0')
    const running = machine.fleetpress('servers', 'reprovision', '1', '--yes')
    await until('The command to start', async () => (await starts()) === '1', BACK_LIMIT_MS)
    await machine.shell('systemctl restart fleetpress')
    await until('The panel to be back', answersOnLoopback, BACK_LIMIT_MS)
    await machine.shell('touch /var/tmp/apt-go')
    good(await running)
    assert.equal(await starts(), '2', 'one for the lists, one for the package')
    assert.match(await machine.shell('dpkg-query -W zstd'), /^zstd\t\d/)
  })

  void test('comes back with its servers and its name after a reboot', { timeout: 180_000 }, async () => {
    await machine.vps.reboot()
    await until('The panel to be back', answersOnLoopback, BACK_LIMIT_MS)
    const isWhole = async () => /fleetpress-database[^]*fleetpress-edge/.test(await stack())
    await until('The stack to be back', isWhole, BACK_LIMIT_MS)
    const { https } = await newVisitor()
    assert.equal((await https(NAME, { path: '/api/health' })).status, 200)
    assert.match(good(await machine.fleetpress('up')), /✓ Already running[^]*✓ This machine as server 1: ready/)
  })
})
