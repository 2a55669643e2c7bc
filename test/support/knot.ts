import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './ports.ts'

const START_MS = 60_000
const PROGRAM = '/usr/sbin/knotd'

/** A real name server with zones of its own, which takes updates that are signed with a key. */
export interface Knot {
  /** For resolvers. */
  readonly address: string
  /** What a person gives the panel. */
  readonly token: string
  /** Of a key that may ask but change nothing. */
  readonly readingToken: string
  /** As another tool would: `add shop.example.com. 300 A 192.0.2.1`. */
  update(...lines: string[]): Promise<void>
  /** The values at a name now; none when there is no such name. */
  read(name: string, type: 'A' | 'AAAA' | 'TXT' | 'CNAME'): Promise<string[]>
  stop(): Promise<void>
}

/** With an address it answers there, too, at the port that every program asks. */
export const startKnot = async (zones: readonly string[], publicAddress?: string): Promise<Knot> => {
  if (!existsSync(PROGRAM)) throw new Error('Knot is not installed. Run the tests with ./fleetpress test.')
  const folder = mkdtempSync(join(tmpdir(), 'fleetpress-knot-'))
  const port = await freePort()
  const keys = { panel: randomBytes(32).toString('base64'), reader: randomBytes(32).toString('base64') }
  for (const zone of zones) writeFileSync(join(folder, `${zone}.zone`), zoneFile(zone))
  writeFileSync(join(folder, 'knot.conf'), configuration(folder, listenWords(port, publicAddress), zones, keys))
  const server = spawn(PROGRAM, ['-c', join(folder, 'knot.conf')], { stdio: ['ignore', 'pipe', 'pipe'] })
  const kill = () => server.kill('SIGKILL')
  process.once('exit', kill)
  const resolver = new Resolver({ timeout: 2000, tries: 3 })
  resolver.setServers([`127.0.0.1:${port}`])
  const stop = async () => {
    process.off('exit', kill)
    await end(server)
    rmSync(folder, { recursive: true, force: true })
  }
  await answering(resolver, zones).catch(async error => {
    await stop()
    throw error
  })
  const tokenOf = (key: keyof typeof keys) => `127.0.0.1:${port} hmac-sha256 ${key} ${keys[key]}`
  return {
    address: `127.0.0.1:${port}`,
    token: tokenOf('panel'),
    readingToken: tokenOf('reader'),
    update: (...lines) => send(port, `hmac-sha256:panel:${keys.panel}`, zones, lines),
    read: (name, type) => read(resolver, name, type),
    stop,
  }
}

const zoneFile = (zone: string): string =>
  [
    `$ORIGIN ${zone}.`,
    '@ 3600 SOA ns1 hostmaster 1 3600 600 86400 60',
    '@ 3600 NS ns1',
    'ns1 3600 A 127.0.0.1',
    '',
  ].join('\n')

const listenWords = (port: number, publicAddress?: string): string =>
  [`127.0.0.1@${port}`, ...(publicAddress === undefined ? [] : [`${publicAddress}@53`])].join(', ')

const configuration = (
  folder: string,
  listen: string,
  zones: readonly string[],
  keys: Record<string, string>,
): string =>
  [
    `server:\n    rundir: "${folder}"\n    listen: [${listen}]\n    udp-workers: 1\n    tcp-workers: 1\n    background-workers: 1`,
    'log:\n  - target: stderr\n    any: warning',
    `database:\n    storage: "${folder}"`,
    'key:',
    ...Object.entries(keys).map(([id, secret]) => `  - id: ${id}\n    algorithm: hmac-sha256\n    secret: ${secret}`),
    'acl:\n  - id: panel\n    key: panel\n    action: update\n  - id: reader\n    key: reader\n    action: transfer',
    'zone:',
    ...zones.map(
      zone =>
        `  - domain: ${zone}\n    storage: "${folder}"\n    file: "${zone}.zone"\n    acl: [panel, reader]\n    zonefile-sync: -1\n    zonefile-load: whole`,
    ),
    '',
  ].join('\n')

const send = async (port: number, key: string, zones: readonly string[], lines: readonly string[]): Promise<void> => {
  const zoneIn = (line: string) => zones.find(zone => line.split(' ')[1]?.endsWith(`${zone}.`)) ?? zones[0]
  const text = lines.map(line => `zone ${zoneIn(line)}.\n${line}\nsend\n`).join('')
  const asked = execFile('knsupdate', ['-y', key], (error, _, stderr) => {
    failure = error ?? (/failed|error/i.test(stderr) ? new Error(stderr) : undefined)
  })
  let failure: Error | undefined
  asked.stdin?.end(`server 127.0.0.1 ${port}\n${text}quit\n`)
  await once(asked, 'close')
  if (failure) throw failure
}

const read = async (resolver: Resolver, name: string, type: 'A' | 'AAAA' | 'TXT' | 'CNAME'): Promise<string[]> => {
  const found = await resolver.resolve(name, type).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return []
    throw error
  })
  return (found as (string | string[])[]).map(value => (Array.isArray(value) ? value.join('') : value)).toSorted()
}

const answering = async (resolver: Resolver, zones: readonly string[]): Promise<void> => {
  const deadline = Date.now() + START_MS
  for (const zone of zones)
    while (
      !(await resolver.resolveSoa(zone).then(
        () => true,
        () => false,
      ))
    ) {
      if (Date.now() > deadline) throw new Error('Knot does not answer')
      await sleep(25)
    }
}

const end = async (server: ChildProcess): Promise<void> => {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGKILL')
  await ended
}
