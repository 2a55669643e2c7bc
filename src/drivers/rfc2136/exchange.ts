import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { DnsUnreachable } from '#platform/dns/errors.ts'
import type { NameServer } from './token.ts'
import { isSigned, sign, verify } from './tsig.ts'
import { type Message, number16, readMessage } from './wire.ts'

const RESPONSE_MS = 10_000
const TRIES = 3
const RETRY_DELAY_MS = 500
const SERVER_FAILED = 2

export const QUERY = 0
export const UPDATE = 5

export interface ExchangeOptions {
  readonly signal: AbortSignal
  /** For one response, ten seconds if absent. */
  readonly responseMs?: number | undefined
  /** Longer with every try; half a second if absent. */
  readonly retryDelayMs?: number | undefined
}

export interface Sections {
  readonly opcode: number
  readonly question: Buffer
  /** Of an update: what has to be true, and what changes then. */
  readonly prerequisites?: readonly Buffer[]
  readonly updates?: readonly Buffer[]
}

/** One signed question over TCP, repeated when no one responds: every message may arrive twice. */
export const exchange = async (server: NameServer, sections: Sections, options: ExchangeOptions): Promise<Message> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(server, sections, options)
    } catch (error) {
      options.signal.throwIfAborted()
      if (tries === TRIES || !(error instanceof DnsUnreachable)) throw error
      await sleep((options.retryDelayMs ?? RETRY_DELAY_MS) * tries, undefined, { signal: options.signal })
    }
  }
}

const attempt = async (server: NameServer, sections: Sections, options: ExchangeOptions): Promise<Message> => {
  const { signal, responseMs = RESPONSE_MS } = options
  const id = randomInt(65_536)
  const { signed, mac } = sign(encode(id, sections), server, Date.now())
  const limit = AbortSignal.any([signal, AbortSignal.timeout(responseMs)])
  const socket = connect({ host: server.host, port: server.port })
  const stop = () => socket.destroy(new Error('no response in time'))
  limit.addEventListener('abort', stop)
  try {
    await once(socket, 'connect')
    socket.write(Buffer.concat([number16(signed.length), signed]))
    const response = readMessage(await readFrame(socket))
    // It may work the next time; every other code is an answer.
    if (response.code === SERVER_FAILED) throw new DnsUnreachable('The name server failed. Try again later.')
    if (response.id !== id) throw new DnsUnreachable('The name server responded to another question.')
    // Some servers sign no answer to a plain question, and none that says no.
    if (isSigned(response) || (sections.opcode !== QUERY && response.code === 0)) verify(response, server, mac)
    return response
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('dns_')) throw error
    throw new DnsUnreachable(`The name server at ${server.host} port ${server.port} does not respond.`, {
      cause: error,
    })
  } finally {
    limit.removeEventListener('abort', stop)
    socket.destroy()
  }
}

const encode = (id: number, { opcode, question, prerequisites = [], updates = [] }: Sections): Buffer => {
  const flags = number16(opcode << 11)
  const counts = [1, prerequisites.length, updates.length, 0].map(number16)
  return Buffer.concat([number16(id), flags, ...counts, question, ...prerequisites, ...updates])
}

/** A message on TCP comes after its length. */
const readFrame = async (socket: Socket): Promise<Buffer> => {
  let received = Buffer.alloc(0)
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk as Buffer])
    if (received.length < 2) continue
    const length = received.readUInt16BE(0)
    if (received.length >= length + 2) return received.subarray(2, length + 2)
  }
  throw new DnsUnreachable('The name server closed the connection without a response.')
}
