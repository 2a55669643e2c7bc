import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Command, exec } from '#platform/host/command.ts'
import type { StreamOptions } from '#platform/host/host.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { ensureFirewall, readFirewall, removeFirewall } from './firewall.ts'
import type { Firewall } from './render-firewall.ts'

/** Runs every command in one network namespace of this machine, and kills nft while it changes a table if asked to. */
class NamespaceHost extends LocalHost {
  readonly namespace: string
  readonly killAfterMs: number | undefined

  constructor(namespace: string, killAfterMs?: number) {
    super(namespace)
    this.namespace = namespace
    this.killAfterMs = killAfterMs
  }

  override stream(command: Command, options?: StreamOptions) {
    assert.ok(command.kind === 'exec')
    const variables = Object.entries(command.env ?? {}).map(([name, value]) => `${name}=${value}`)
    const [program, option] = command.argv
    const isChange = this.killAfterMs !== undefined && program === 'nft' && option === '-f'
    const killer = isChange ? ['timeout', '-s', 'KILL', `${this.killAfterMs / 1000}`] : []
    return super.stream(
      exec('ip', 'netns', 'exec', this.namespace, 'env', ...variables, ...killer, ...command.argv),
      options,
    )
  }
}

/** nft without the right to change anything. */
class StrangerHost extends NamespaceHost {
  override stream(command: Command, options?: StreamOptions) {
    assert.ok(command.kind === 'exec')
    return super.stream(exec('setpriv', '--bounding-set=-all', '--inh-caps=-all', ...command.argv), options)
  }
}

const LISTEN = `for (const port of process.argv.slice(1))
  require('node:net').createServer(socket => socket.on('error', () => {}).end('x')).listen(+port, '::', () => console.log(port))`

/** Opens connections until one is not accepted, says how many it has, and holds them until it is ended. */
const HOLD = `const [address, port] = process.argv.slice(1), held = []
  const open = () => {
    const socket = require('node:net').connect({ host: address, port: +port, allowHalfOpen: true }).resume()
    const refused = () => (console.log(held.length), setInterval(() => {}, 1000))
    socket.setTimeout(5000, refused).once('error', refused)
    socket.once('connect', () => (held.push(socket.setTimeout(0)), open()))
  }
  open()`

/** A server with two sites, another container, and the world, each in a network namespace of its own. */
const peers = {
  world: { server: '198.18.0.1/24', own: '198.18.0.2/24' },
  sitea: { server: '10.77.0.1/30', own: '10.77.0.2/30' },
  siteb: { server: '10.77.0.5/30', own: '10.77.0.6/30' },
  other: { server: '10.200.0.1/24', own: '10.200.0.2/24' },
}
type Peer = keyof typeof peers

const firewall: Firewall = {
  blocked: [],
  sites: ['10.77.0.0/16'],
  sitePorts: [25, 587],
  refused: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  resolvers: ['10.9.9.9'],
}

void describe('the firewall', { timeout: 300_000 }, () => {
  const unique = `fp${process.pid.toString(36)}`
  const folder = mkdtempSync(join(tmpdir(), 'fleetpress-nft-'))
  const file = join(folder, 'firewall.nft')
  const server = new NamespaceHost(`${unique}-server`)
  const listeners: ChildProcess[] = []
  const ip = (...words: string[]) => execFileSync('ip', words, { stdio: 'pipe' })
  const inside = (name: string, ...words: string[]) => ip('netns', 'exec', `${unique}-${name}`, ...words)

  const listen = async (name: string, ...ports: number[]) => {
    const words = ['netns', 'exec', `${unique}-${name}`, process.execPath, '-e', LISTEN, ...ports.map(String)]
    const child = spawn('ip', words, { stdio: ['ignore', 'pipe', 'inherit'] })
    listeners.push(child)
    await once(child.stdout, 'data')
  }

  const attach = (name: Peer) => {
    const { server: serverAddress, own } = peers[name]
    const device = `${unique}${name}`.slice(0, 15)
    ip('netns', 'add', `${unique}-${name}`)
    ip('link', 'add', device, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', `${unique}-${name}`)
    ip('link', 'set', device, 'netns', server.namespace)
    inside('server', 'ip', 'link', 'set', device, 'name', name)
    inside('server', 'ip', 'address', 'add', serverAddress, 'dev', name)
    inside('server', 'ip', 'link', 'set', name, 'up')
    inside(name, 'ip', 'address', 'add', own, 'dev', 'eth0')
    for (const each of ['lo', 'eth0']) inside(name, 'ip', 'link', 'set', each, 'up')
    inside(name, 'ip', 'route', 'add', 'default', 'via', serverAddress.split('/')[0] ?? '')
  }

  /** Rules as Docker sets them: nothing is forwarded but what its networks start, answers, and one published port. */
  const likeDocker = () => {
    const rules = [
      ['-P', 'FORWARD', 'DROP'],
      ['-A', 'FORWARD', '-m', 'conntrack', '--ctstate', 'RELATED,ESTABLISHED', '-j', 'ACCEPT'],
      ...['sitea', 'siteb', 'other'].map(name => ['-A', 'FORWARD', '-i', name, '-j', 'ACCEPT']),
      ['-A', 'FORWARD', '-o', 'other', '-p', 'tcp', '--dport', '8080', '-j', 'ACCEPT'],
      ['-t', 'nat', '-A', 'PREROUTING', '-p', 'tcp', '--dport', '9090', '-j', 'DNAT', '--to', '10.200.0.2:8080'],
    ]
    for (const rule of rules) inside('server', 'iptables', ...rule)
  }

  before(async () => {
    ip('netns', 'add', server.namespace)
    inside('server', 'ip', 'link', 'set', 'lo', 'up')
    inside('server', 'sysctl', '-q', '-w', 'net.ipv4.ip_forward=1')
    for (const name of Object.keys(peers) as Peer[]) attach(name)
    for (const address of ['169.254.169.254', '192.168.50.1', '10.9.9.9', '203.0.113.80'])
      inside('world', 'ip', 'address', 'add', `${address}/32`, 'dev', 'lo')
    inside('server', 'ip', 'route', 'add', 'default', 'via', '198.18.0.2')
    likeDocker()
    await listen('server', 22, 25, 80, 587, 3306)
    await listen('world', 53, 80, 443)
    for (const name of ['sitea', 'siteb', 'other']) await listen(name, 8080)
  })
  after(() => {
    for (const listener of listeners) listener.kill('SIGKILL')
    for (const name of ['server', ...Object.keys(peers)])
      if (existsSync(`/run/netns/${unique}-${name}`)) ip('netns', 'del', `${unique}-${name}`)
    rmSync(folder, { recursive: true, force: true })
  })

  const connects = async (from: string, address: string, port: number) => {
    const host = new NamespaceHost(`${unique}-${from}`)
    const probe = exec('timeout', '1', 'bash', '-c', ': < "/dev/tcp/$0/$1"', address, String(port))
    return (await host.run(probe, { allowExitCodes: [1, 124] })).exitCode === 0
  }
  const reach = async (expected: Record<string, boolean>) => {
    const found: Record<string, boolean> = {}
    for (const way of Object.keys(expected)) {
      const [from = '', address = '', port = ''] = way.split(' ')
      found[way] = await connects(from, address, Number(port))
    }
    assert.deepEqual(found, expected)
  }

  const harmless = {
    'world 198.18.0.1 80': true,
    'world 198.18.0.1 9090': true,
    'other 203.0.113.80 443': true,
    'other 198.18.0.1 22': true,
    'server 10.77.0.2 8080': true,
    'sitea 203.0.113.80 443': true,
    'sitea 10.77.0.1 25': true,
    'sitea 10.77.0.1 587': true,
    'sitea 10.9.9.9 53': true,
  }
  const refusedWays = [
    'sitea 10.77.0.1 22',
    'sitea 10.77.0.1 3306',
    'sitea 198.18.0.1 80',
    'sitea 10.77.0.5 22',
    'siteb 10.77.0.5 22',
    'sitea 10.77.0.6 8080',
    'siteb 10.77.0.2 8080',
    'sitea 169.254.169.254 80',
    'sitea 192.168.50.1 443',
    'sitea 10.9.9.9 80',
    'sitea 10.200.0.2 8080',
    'other 10.77.0.2 8080',
  ]

  void it('refuses sites the server, each other, metadata and private networks, and nothing else to anybody', async () => {
    const open = Object.fromEntries(refusedWays.map(way => [way, true]))
    await reach({ ...harmless, ...open })
    await ensureFirewall(server, file, async () => firewall)
    await reach({ ...harmless, ...Object.fromEntries(refusedWays.map(way => [way, false])) })
    await removeFirewall(server, file)
    await reach({ ...harmless, ...open })
  })

  void it('lets one site hold a share of the connections, and the other one has all of its own', async () => {
    await ensureFirewall(server, file, async () => firewall)
    for (const [address, port, most] of [
      ['10.77.0.1', 25, 128],
      ['203.0.113.80', 443, 2048],
    ] as const) {
      const words = ['netns', 'exec', `${unique}-sitea`, process.execPath, '-e', HOLD, address, port]
      const child = spawn('ip', words.map(String), { stdio: ['ignore', 'pipe', 'inherit'] })
      listeners.push(child)
      const [held] = (await once(child.stdout, 'data')) as [Buffer]
      assert.equal(Number(held), most)
      await reach({ [`sitea ${address} ${port}`]: false, [`siteb ${address} ${port}`]: true })
      child.kill('SIGKILL')
    }
    await removeFirewall(server, file)
  })

  void it('blocks visitors on the web ports only, until their time is over', async () => {
    const blocked = [{ network: '198.18.0.2', timeoutSeconds: 3 }, { network: '2001:db8::/32' }]
    await ensureFirewall(server, file, async () => ({ ...firewall, blocked }))
    await reach({ 'world 198.18.0.1 80': false, 'world 198.18.0.1 22': true, 'other 198.18.0.1 80': true })
    await new Promise(resolve => setTimeout(resolve, 3_200))
    await reach({ 'world 198.18.0.1 80': true })
    assert.deepEqual((await readFirewall(server))?.blocked, [{ network: '2001:db8::/32' }])
  })

  void it('says what is in effect, and may be set and removed twice', async () => {
    const blocked = [{ network: '192.0.2.0/24' }, { network: '198.51.100.7', timeoutSeconds: 900 }]
    for (const _ of [1, 2]) await ensureFirewall(server, file, async () => ({ ...firewall, blocked }))
    const state = (await readFirewall(server)) ?? assert.fail('no table')
    const timeoutSeconds = state.blocked[1]?.timeoutSeconds ?? 0
    assert.ok(timeoutSeconds > 890 && timeoutSeconds <= 900, String(timeoutSeconds))
    assert.deepEqual(state, {
      ...firewall,
      blocked: [{ network: '192.0.2.0/24' }, { network: '198.51.100.7', timeoutSeconds }],
      refused: ['10.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16', 'fd00:ec2::254'],
    })
    for (const _ of [1, 2]) await removeFirewall(server, file)
    assert.equal(await readFirewall(server), undefined)
    assert.ok(!existsSync(file))
  })

  void it('stays as it is when it cannot be changed or read', async () => {
    await ensureFirewall(server, file, async () => firewall)
    const stranger = new StrangerHost(server.namespace)
    await assert.rejects(
      ensureFirewall(stranger, file, async () => ({ ...firewall, sitePorts: [] })),
      { code: 'firewall_failed' },
    )
    await assert.rejects(readFirewall(stranger), { code: 'firewall_failed' })
    assert.deepEqual((await readFirewall(server))?.sitePorts, [25, 587])
    assert.ok(!existsSync(`${file}.next`))
  })

  void it('leaves the rules of Docker as they are', async () => {
    const rules = () =>
      inside('server', 'iptables-save')
        .toString()
        .replaceAll(/^#.*$|\[\d+:\d+\]/gm, '')
    const found = rules()
    await ensureFirewall(server, file, async () => firewall)
    assert.equal(rules(), found)
    await removeFirewall(server, file)
    assert.equal(rules(), found)
  })

  void it('is the same after the file is loaded at the start of the machine', async () => {
    await ensureFirewall(server, file, async () => firewall)
    const state = await readFirewall(server)
    await server.run(exec('nft', 'delete', 'table', 'inet', 'fleetpress'))
    await server.run(exec('nft', '-f', file))
    assert.deepEqual(await readFirewall(server), state)
  })

  for (const name of ['empty', 'full'])
    void it(`nft accepts ${name}.nft`, async () => {
      const golden = readFileSync(new URL(`golden/${name}.nft`, import.meta.url), 'utf8')
      await server.writeFile(join(folder, 'golden.nft'), golden)
      await server.run(exec('nft', '-c', '-f', join(folder, 'golden.nft')))
    })

  void it('is the old one or the new one when it is killed while it changes', async context => {
    const many = (first: number) =>
      Array.from({ length: 20_000 }, (_, index) => ({ network: `${first}.${index >> 8}.${index & 255}.1` }))
    const versions = [20, 30].map(first => ({ ...firewall, blocked: many(first) }))
    const seen = { old: 0, new: 0 }
    const startedAt = performance.now()
    await ensureFirewall(server, file, async () => firewall)
    for (const version of versions) await ensureFirewall(server, file, async () => version)
    const changeMs = (performance.now() - startedAt) / 2
    for (let round = 0; round < 16; round++) {
      const [before = firewall, next = firewall] = round % 2 === 0 ? versions : versions.toReversed()
      await ensureFirewall(server, file, async () => before)
      const killed = new NamespaceHost(server.namespace, Math.ceil((changeMs * round) / 10) + 1)
      await ensureFirewall(killed, file, async () => next).catch(error => assert.equal(error.exitCode, 137))
      const state = (await readFirewall(server)) ?? assert.fail('no table')
      assert.equal(state.blocked.length, 20_000)
      const isNew = state.blocked[0]?.network === next.blocked[0]?.network
      assert.deepEqual(state.blocked.at(-1), (isNew ? next : before).blocked.at(-1))
      seen[isNew ? 'new' : 'old'] += 1
    }
    context.diagnostic(`killed 16 times: ${seen.old} times the old one, ${seen.new} times the new one`)
    assert.ok(seen.old > 0 && seen.new > 0, JSON.stringify(seen))
  })
})
