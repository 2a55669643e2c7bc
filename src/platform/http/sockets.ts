import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { Identity } from '#platform/access/authenticator.ts'
import { requireLevel } from '#platform/access/require-level.ts'
import type { SocketNotes } from '#platform/contract/endpoint.ts'
import { Problem } from '#platform/contract/problem.ts'
import { admission, type Route } from './answer.ts'
import type { Conversation, RequestScope, SocketScope } from './handlers.ts'
import { CLOSE, openSocket } from './socket.ts'
import { watchAccess } from './socket-access.ts'
import { requireHandshake, takeUpgrades, type Upgrades } from './socket-upgrade.ts'

const SWITCHING = 101
const STOP_MS = 3_000

interface Parts {
  now(): number
  record(request: FastifyRequest, reply: FastifyReply, status: number): Promise<unknown> | undefined
  identifyAgain(request: FastifyRequest): Promise<Identity>
}

/** One caller at one socket, from being let in until nothing of it is left. */
interface Visit {
  readonly route: Route
  readonly callerId: string
  readonly gone: AbortController
  /** Ends it because the panel does. */
  stop(): void
  over: Promise<unknown>
}

/** The WebSockets of the panel: as many as the contracts allow, each only as long as its caller may be there. */
export class Sockets {
  readonly #parts: Parts
  readonly #upgrades: Upgrades
  readonly #visits = new Set<Visit>()
  #isStopping = false

  constructor(server: FastifyInstance, parts: Parts) {
    this.#parts = parts
    this.#upgrades = takeUpgrades(server)
    server.addHook('preClose', () => this.#stop())
  }

  /** What `answerer` is for other endpoints. Everything that may be refused is refused before 101. */
  answerer(route: Route, notes: SocketNotes) {
    const admit = admission(route.endpoint, this.#parts.now)
    return async (request: FastifyRequest, reply: FastifyReply, scope: RequestScope, callerId: string) => {
      const inputs = admit(request, scope, callerId)
      requireHandshake(request)
      const visit = this.#enter(route, notes, callerId)
      const { gone } = visit
      request.raw.socket.once('close', () => gone.abort(left()))
      try {
        const socketScope: SocketScope = { ...scope, gone: gone.signal }
        const converse = (await route.handler(inputs, socketScope)) as Conversation
        await this.#parts.record(request, reply, SWITCHING)
        gone.signal.throwIfAborted()
        const ws = this.#upgrades.accept(request, reply)
        if (ws) this.#begin(visit, ws, converse, request)
        else this.#leave(visit)
      } catch (error) {
        const why: unknown = gone.signal.aborted ? gone.signal.reason : error
        this.#leave(visit)
        throw why
      }
      return reply
    }
  }

  #enter(route: Route, { perCaller, inAll }: SocketNotes, callerId: string): Visit {
    if (this.#isStopping) throw stopping()
    const there = [...this.#visits].filter(visit => visit.route === route)
    refuseMore(there.filter(visit => visit.callerId === callerId).length, perCaller)
    refuseMore(there.length, inAll)
    const gone = new AbortController()
    const visit: Visit = { route, callerId, gone, stop: () => gone.abort(stopping()), over: Promise.resolve() }
    this.#visits.add(visit)
    return visit
  }

  #leave(visit: Visit): void {
    visit.gone.abort()
    this.#visits.delete(visit)
  }

  #begin(visit: Visit, ws: WebSocket, converse: Conversation, request: FastifyRequest): void {
    const socket = openSocket(ws, visit.gone, request.log)
    const { level } = visit.route.endpoint
    const confirm = async () => requireLevel((await this.#parts.identifyAgain(request)).actor, level)
    watchAccess(confirm, () => socket.close(CLOSE.revoked, 'Access was revoked.'), visit.gone.signal)
    visit.stop = () => socket.close(CLOSE.stopping, 'The panel is stopping.')
    const said = converse(socket).then(() => socket.close(CLOSE.done, ''), socket.fail)
    const closed = new Promise(resolve => ws.once('close', resolve))
    visit.over = Promise.all([said, closed]).then(() => this.#leave(visit))
  }

  async #stop(): Promise<void> {
    this.#isStopping = true
    const all = [...this.#visits]
    for (const visit of all) visit.stop()
    await Promise.race([Promise.all(all.map(visit => visit.over)), delay(STOP_MS, undefined, { ref: false })])
    this.#upgrades.terminateAll()
  }
}

const stopping = () => new Problem('maintenance', 'The panel is stopping. Try again in a minute.')

const left = () => new Problem('conflict', 'The caller disconnected before the WebSocket opened.')

const refuseMore = (open: number, limit: number) => {
  if (open < limit) return
  throw new Problem('conflict', `${open} connections are open, which is the limit. Close one, then try again.`, {
    limit,
  })
}
