import { type Readable, Writable } from 'node:stream'
import type { ClientChannel } from 'ssh2'
import { HostRefusedLogin, HostUnreachable } from '../errors.ts'
import { exitOf } from '../exit.ts'
import type { Exit } from '../host.ts'
import type { Connection } from './connect.ts'
import { loginText } from './login-text.ts'
import { WORKER } from './remote-scripts.ts'

/** A shell on the server that waits for one command. */
export interface Worker {
  readonly group: number
  readonly channel: ClientChannel
  readonly exited: Promise<Exit>
  /** Whether its leader is known to have ended. */
  hasExited(): boolean
}

const NOISE_MAX_BYTES = 64 * 1024

export const openWorker = async (connection: Connection, host: string, token: string): Promise<Worker> => {
  const text = loginText(connection.user, WORKER, token)
  const channel = await connection.open((client, done) => client.exec(text, done))
  const { promise: exited, resolve, reject } = Promise.withResolvers<Exit>()
  exited.catch(() => {})
  let hasExited = false
  channel.once('exit', (exitCode: number | null, signal?: string) => {
    hasExited = true
    resolve(exitOf(exitCode, signal ?? null))
  })
  channel.once('close', () => reject(new HostUnreachable(host, 'the server closed the connection during the command')))
  const onLost = () => reject(connection.lost.reason)
  connection.lost.addEventListener('abort', onLost, { once: true })
  channel.once('close', () => connection.lost.removeEventListener('abort', onLost))
  const starts = [skipTo(channel, token), skipTo(channel.stderr, token)]
  const began = await Promise.allSettled(starts)
  connection.lost.throwIfAborted()
  const group = Number(began[0]?.status === 'fulfilled' ? began[0].value : Number.NaN)
  const failed = began.find(one => one.status === 'rejected')
  if (failed === undefined && group > 1) return { group, channel, exited, hasExited: () => hasExited }
  channel.destroy()
  throw noShell(host, connection.user, String(began[1]?.status === 'rejected' ? began[1].reason : failed?.reason))
}

const noShell = (host: string, user: string, said: string): Error =>
  user === 'root'
    ? new HostUnreachable(host, new Error(said))
    : new HostRefusedLogin(host, user, 'it needs passwordless sudo for all commands', said)

/** Drops what comes before the line that begins with the token, and gives the rest of that line. */
const skipTo = (source: Readable, token: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let seen = Buffer.alloc(0)
    const stop = () => source.off('readable', onReadable).off('end', onEnd)
    const onEnd = () => {
      stop()
      reject(seen.toString().trim().slice(-500))
    }
    const onReadable = () => {
      for (let chunk: Buffer | null = source.read(); chunk !== null; chunk = source.read()) {
        seen = Buffer.concat([seen, chunk])
        const at = seen.indexOf(`${token} `)
        const end = at < 0 ? -1 : seen.indexOf('\n', at)
        if (end >= 0) {
          stop()
          if (end + 1 < seen.length) source.unshift(seen.subarray(end + 1))
          return resolve(seen.toString('latin1', at + token.length + 1, end))
        }
        if (seen.length > NOISE_MAX_BYTES) return onEnd()
      }
    }
    source.on('readable', onReadable).on('end', onEnd)
  })

/** The stdin of the command: what ssh2 gives does not tell like other streams that it has been closed. */
export const stdinOf = (channel: ClientChannel): Writable => {
  const stdin = new Writable({
    highWaterMark: 1024 * 1024,
    write: (chunk: Buffer, _, done) => {
      channel.write(chunk, error => done(error))
    },
    final: done => {
      channel.end()
      done()
    },
  })
  channel.once('close', () => stdin.destroy())
  return stdin
}
