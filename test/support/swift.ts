import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './ports.ts'

const START_MS = 300_000
const KINDS = ['account', 'container', 'object'] as const

/** A real object storage that speaks S3 and checks every signature: OpenStack Swift, on one machine with one folder. */
export interface Swift {
  /** On every address of this machine. */
  readonly port: number
  readonly accessKeyId: string
  readonly secretAccessKey: string
  stop(): Promise<void>
}

const serverConfig = (kind: string, port: number, folder: string): string => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = root
swift_dir = /etc/swift
devices = ${folder}/node
mount_check = false
fallocate_reserve = 0
disable_fallocate = true
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`

const proxyConfig = ({
  port,
  cachePort,
  secret,
}: {
  port: number
  cachePort: number
  secret: string
}): string => `[DEFAULT]
bind_ip = 0.0.0.0
bind_port = ${port}
workers = 0
user = root
swift_dir = /etc/swift
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats s3api tempauth copy slo dlo versioned_writes proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${secret} .admin
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${cachePort}
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
location = us-east-1
${['catch_errors', 'gatekeeper', 'healthcheck', 'listing_formats', 'copy', 'slo', 'dlo', 'versioned_writes']
  .map(name => `[filter:${name}]\nuse = egg:swift#${name}\n`)
  .join('')}`

const SWIFT_CONFIG = `[swift-hash]
swift_hash_path_suffix = test
[storage-policy:0]
name = one
default = yes
`

/** Swift looks for its configuration in one place only, so each server sees a folder of its own there. */
const WITH_CONFIG = 'mount --bind "$0" /etc/swift && exec "$@"'

export const startSwift = async (): Promise<Swift> => {
  if (!existsSync('/usr/bin/swift-proxy-server'))
    throw new Error('Swift is not installed. Run the tests with ./fleetpress test.')
  const folder = mkdtempSync(join(tmpdir(), 'fleetpress-swift-'))
  const [config, secret] = [join(folder, 'config'), randomBytes(20).toString('hex')]
  const [port, cachePort] = [await freePort(), await freePort()]
  mkdirSync(config)
  mkdirSync(join(folder, 'node', 'd1'), { recursive: true })
  mkdirSync('/etc/swift', { recursive: true })
  writeFileSync(join(config, 'swift.conf'), SWIFT_CONFIG)
  const inside = (argv: string[]) => ['--mount', 'sh', '-c', WITH_CONFIG, config, ...argv]
  for (const kind of KINDS) {
    const inner = await freePort()
    writeFileSync(join(config, `${kind}-server.conf`), serverConfig(kind, inner, folder))
    const build = (...words: string[]) =>
      execFileSync('swift-ring-builder', [join(config, `${kind}.builder`), ...words])
    build('create', '4', '1', '1')
    build('add', `r1z1-127.0.0.1:${inner}/d1`, '1')
    build('rebalance')
  }
  writeFileSync(join(config, 'proxy-server.conf'), proxyConfig({ port, cachePort, secret }))
  const log = join(folder, 'log')
  const cache = ['-u', 'nobody', '-m', '16', '-l', '127.0.0.1', '-p', String(cachePort)]
  const servers = [
    spawn('memcached', cache, { stdio: 'ignore' }),
    ...[...KINDS, 'proxy'].map(kind => {
      const serve = `exec swift-${kind}-server /etc/swift/${kind}-server.conf --verbose >> ${log} 2>&1`
      return spawn('unshare', inside(['sh', '-c', serve]), { stdio: 'ignore' })
    }),
  ]
  const kill = () => servers.forEach(server => server.kill('SIGKILL'))
  process.once('exit', kill)
  const stop = async () => {
    process.off('exit', kill)
    await Promise.all(servers.map(end))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await healthy(port, log)
  } catch (error) {
    await stop()
    throw error
  }
  return { port, accessKeyId: 'test:tester', secretAccessKey: secret, stop }
}

const healthy = async (port: number, log: string): Promise<void> => {
  for (const endsAt = Date.now() + START_MS; ; await sleep(100)) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthcheck`).catch(() => undefined)
    if (answer?.ok) return
    if (Date.now() > endsAt)
      throw new Error(`Swift does not answer: ${existsSync(log) ? readFileSync(log, 'utf8') : ''}`)
  }
}

const end = async (server: ChildProcess): Promise<void> => {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGKILL')
  await ended
}
