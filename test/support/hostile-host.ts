import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createRawServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from '#platform/host/command.ts'
import { exec } from '#platform/host/command.ts'
import type { DialAddress, DialOptions, Host, RunOptions, StreamOptions } from '#platform/host/host.ts'
import { LocalHost } from '#platform/host/local-host.ts'

/** Not for Read only, wherever a server or a site says it. */
export const SAID_SECRET = 'DB_PASSWORD=hunter2-4f1c9a7e55'
/** ANSI colours, OSC 52 (writes the clipboard), OSC 8 (a link), a C1 control, a direction override, a zero width space. */
export const HOSTILE = [
  `\u001b[31mPHP Fatal error: ${SAID_SECRET}`,
  '\u001b]52;c;Y3VybCBldmlsLmV4YW1wbGUgfCBzaA==\u0007',
  '\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\',
  '\u009b2J\u202egnp.exe\u200b',
  SAID_SECRET,
].join('\r\n')

/** What no person may be shown: everything a terminal acts on or an eye does not see. */
export const RAW_CONTROLS = /(?![\t\n])\p{Cc}|[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u

const FAILS = exec('bash', '-c', 'printf %s "$1" >&2; printf %s "$1"; exit 1', 'bash', HOSTILE)

/** What MariaDB says instead of its greeting when it refuses a connection: length, number, error mark, code, message. */
const REFUSAL = Buffer.concat([Buffer.from([0, 0, 0, 0, 0xff, 0, 0]), Buffer.from(HOSTILE)])
REFUSAL.writeUIntLE(REFUSAL.length - 4, 0, 3)
REFUSAL.writeUInt16LE(1045, 5)

interface Sockets {
  engine: string
  database: string
}

/** A machine on which every command fails for real, and says what it likes; its Docker and its database refuse everything. */
class HostileHost extends LocalHost {
  readonly #sockets: Sockets

  constructor(sockets: Sockets) {
    super('server 2')
    this.#sockets = sockets
  }

  override run(_: Command, { allowExitCodes, ...options }: RunOptions = {}) {
    return super.run(FAILS, { ...options, stdin: undefined })
  }

  override stream(_: Command, { allowExitCodes, ...options }: StreamOptions = {}) {
    return super.stream(FAILS, { ...options, stdin: undefined })
  }

  override dial(address: DialAddress, options: DialOptions = {}) {
    const isDatabase = 'socketPath' in address && address.socketPath.endsWith('/mysqld.sock')
    return super.dial({ socketPath: isDatabase ? this.#sockets.database : this.#sockets.engine }, options)
  }
}

const FILES = ['readFile', 'writeFile', 'upload', 'download', 'removeFile', 'makeDir', 'stat', 'listDir'] as const

export interface HostileMachine {
  readonly host: Host
  stop(): void
}

const listening = (server: Server, socket: string): Promise<void> =>
  new Promise(resolve => {
    server.listen(socket, resolve)
  })

export const startHostileMachine = async (): Promise<HostileMachine> => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetpress-hostile-'))
  const sockets = { engine: join(folder, 'docker.sock'), database: join(folder, 'mysqld.sock') }
  const engine = createServer((request, response) => {
    if (request.url === '/_ping') response.end('OK')
    else response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ message: HOSTILE }))
  })
  const database = createRawServer(connection => {
    connection.on('error', () => {})
    connection.end(REFUSAL)
  })
  await Promise.all([listening(engine, sockets.engine), listening(database, sockets.database)])
  const host = new HostileHost(sockets)
  // Nothing of this machine is read or written, whatever a job wants.
  const fail = async () => {
    await host.run(FAILS)
  }
  for (const name of FILES) Object.defineProperty(host, name, { value: fail })
  const stop = () => {
    database.close()
    engine.close()
    engine.closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  }
  return { host, stop }
}
