import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { features } from '#app/features.ts'
import { createKey } from '#features/panel/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { HostTimeout, HostUnreachable } from '#platform/host/errors.ts'
import { type TestPanel, testPanel } from '#test/support/panel.ts'
import { type Callers, callersOf, type Headers } from './callers.ts'
import { plant } from './planted.ts'
import { freePort, listening } from './raw.ts'

const socketAt = (path: string, perCaller = 1, inAll = 1) =>
  ({
    method: 'GET',
    path,
    level: 'full',
    summary: 'Planted',
    query: z.object({ size: z.string().max(5).optional() }),
    reply: z.null(),
    socket: { about: 'Planted.', perCaller, inAll },
  }) as const

const CHUNK = Buffer.alloc(64 * 1024, 'x')
const OPENING_MS = 700
export const FLOOD_BYTES = 200 * 1_048_576

/** What the planted handlers saw. */
interface Seen {
  reached: number
  gone: number
  sentBytes: number
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))

const contract = {
  /** Says everything back. */
  echo: socketAt('/api/planted/echo', 3, 5),
  /** Says nothing. */
  many: socketAt('/api/planted/many', 1000, 1000),
  /** Says 200 MiB, then `done`. */
  flood: socketAt('/api/planted/flood'),
  /** Takes a while to open. */
  slow: socketAt('/api/planted/slow'),
  unreachable: socketAt('/api/planted/unreachable'),
  late: socketAt('/api/planted/late'),
  /** Opens and then loses its server. */
  lost: socketAt('/api/planted/lost'),
}

const sockets = (seen: Seen) => {
  const enter = (gone: AbortSignal) => {
    seen.reached += 1
    gone.addEventListener('abort', () => void (seen.gone += 1), { once: true })
  }
  return plant(contract, {
    async echo(_, { gone }) {
      enter(gone)
      return async socket => {
        socket.receive(async message => {
          if (message === 'wrong') throw new Problem('validation_error', 'That is wrong: '.padEnd(200, 'ü'))
          if (message === 'crash') throw new Error('a mistake')
          await socket.send(message)
        })
        await aborted(gone)
      }
    },
    async many(_, { gone }) {
      enter(gone)
      return () => aborted(gone)
    },
    async flood(_, { gone }) {
      enter(gone)
      return async socket => {
        for (seen.sentBytes = 0; seen.sentBytes < FLOOD_BYTES && !gone.aborted; seen.sentBytes += CHUNK.length)
          await socket.send(CHUNK)
        await socket.send('done')
      }
    },
    async slow(_, { gone }) {
      enter(gone)
      await sleep(OPENING_MS, undefined, { signal: gone })
      return () => aborted(gone)
    },
    unreachable: async () => Promise.reject(new HostUnreachable('server 7', 'nothing there')),
    late: async () => Promise.reject(new HostTimeout('server 7', 100)),
    lost: async () => async () => Promise.reject(new HostUnreachable('server 7', 'cable cut')),
  })
}

export interface SocketHouse {
  panel: TestPanel
  callers: Callers
  /** A browser with a session, on a page of the panel. */
  person: Headers
  seen: Seen
}

/** A listening panel with sockets of every kind. */
export const openSocketHouse = async (): Promise<SocketHouse> => {
  const seen: Seen = { reached: 0, gone: 0, sentBytes: 0 }
  const env = { FLEETPRESS_PORT: await freePort() }
  const panel = await testPanel({ features: [...features, sockets(seen)], env })
  const port = await listening(panel)
  const callers = await callersOf(panel)
  return { panel, callers, seen, person: { cookie: callers.person.cookie ?? '', origin: `http://localhost:${port}` } }
}

export const newFullKey = ({ foundation }: TestPanel) =>
  createKey(foundation.database.db, { name: 'short-lived', access: 'full', createdBy: 'test', now: Date.now() })
