import { createInterface } from 'node:readline'
import type { ClientChannel } from 'ssh2'
import type { Connection } from './connect.ts'
import { loginText } from './login-text.ts'
import { GUARD } from './remote-scripts.ts'

export interface GuardOptions {
  /** Marks what this connection starts on the server. */
  readonly token: string
  /** What the connection before this one left behind is ended at once; empty if there was none. */
  readonly previousToken: string
  readonly keepaliveMs: number
}

/** The panel's hand on the server: ends what it is told to, and everything of the connection when that is lost. */
export class Guard {
  readonly #channel: ClientChannel
  readonly #token: string
  readonly #lost: AbortSignal
  #isUp = false
  readonly #waiting = new Map<string, PromiseWithResolvers<void>>()

  constructor(channel: ClientChannel, token: string, connection: Connection, keepaliveMs: number) {
    this.#channel = channel
    this.#token = token
    this.#lost = connection.lost
    createInterface({ input: channel }).on('line', line => this.#onLine(line))
    channel.stderr.resume()
    const beating = setInterval(() => channel.write('beat\n'), keepaliveMs)
    beating.unref()
    channel.once('close', () => {
      clearInterval(beating)
      for (const { resolve } of this.#waiting.values()) resolve()
      // Without it nothing could be ended any more, so the next use begins again. One that never began is told by the
      // commands, which cannot begin either.
      if (this.#isUp) void connection.end()
    })
    connection.lost.addEventListener('abort', () => {
      clearInterval(beating)
      for (const { resolve } of this.#waiting.values()) resolve()
    })
  }

  /** Resolves when the group is gone, or when the connection is and the server ends it by itself. */
  async end(group: number, isLeaderGone: boolean): Promise<void> {
    if (this.#lost.aborted) return
    const key = String(group)
    const ended = this.#waiting.get(key) ?? Promise.withResolvers<void>()
    this.#waiting.set(key, ended)
    this.#channel.write(`end ${group} ${isLeaderGone ? 'gone' : 'there'}\n`)
    await ended.promise
  }

  #onLine(line: string): void {
    const [token, word, group = ''] = line.split(' ')
    if (token !== this.#token) return
    if (word === 'guards') this.#isUp = true
    this.#waiting.get(group)?.resolve()
    this.#waiting.delete(group)
  }
}

/** Longer than the panel takes to notice a lost connection, so that it is never surprised by the guard. */
const silenceOf = (keepaliveMs: number): string => String(Math.max(1, Math.ceil((6 * keepaliveMs) / 1000)))

export const openGuard = async (
  connection: Connection,
  { token, previousToken, keepaliveMs }: GuardOptions,
): Promise<Guard> => {
  const text = loginText(connection.user, GUARD, token, silenceOf(keepaliveMs), previousToken)
  const channel = await connection.open((client, done) => client.exec(text, done))
  return new Guard(channel, token, connection, keepaliveMs)
}
