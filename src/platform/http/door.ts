import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Actor } from '#platform/access/actor.ts'
import type { Authenticator } from '#platform/access/authenticator.ts'
import type { Endpoint } from '#platform/contract/endpoint.ts'
import type { Caller } from './handlers.ts'

export interface DoorRequest {
  method: Endpoint['method']
  url: string
  headers?: Record<string, string>
  json?: unknown
  bytes?: Buffer
  signal?: AbortSignal
}

export interface DoorAnswer {
  status: number
  headers: Record<string, string | number | string[] | undefined>
  bytes: Buffer
}

/** For features that speak another protocol than HTTP: every call takes the same way in as a request from outside. */
export interface Door {
  /** Sends one request as this actor: level, limits, checks and the activity log are those of HTTP. */
  call(actor: Actor, caller: Caller, request: DoorRequest): Promise<DoorAnswer>
}

/**
 * The actor of a call is handed over under a random token that works for this one call, so that nothing but an
 * authenticator ever says who someone is.
 */
export const createDoor = (host: string): { authenticate: Authenticator; open(server: FastifyInstance): Door } => {
  const actors = new Map<string, Actor>()
  return {
    authenticate: async ({ bearer }) => {
      const actor = bearer === undefined ? undefined : actors.get(bearer)
      return actor && { actor }
    },
    open: server => ({
      call: async (actor, caller, request) => {
        const token = randomBytes(32).toString('base64url')
        actors.set(token, actor)
        try {
          return await send(server, { ...request, token, host, caller })
        } finally {
          actors.delete(token)
        }
      },
    }),
  }
}

const send = async (
  server: FastifyInstance,
  {
    method,
    url,
    headers,
    json,
    bytes,
    signal,
    token,
    host,
    caller,
  }: DoorRequest & { token: string; host: string; caller: Caller },
): Promise<DoorAnswer> => {
  const payload = bytes ?? (json === undefined ? undefined : JSON.stringify(json))
  const answer = await server.inject({
    method,
    url,
    remoteAddress: caller.address,
    headers: {
      host,
      authorization: `Bearer ${token}`,
      'user-agent': caller.userAgent,
      'x-request-id': caller.requestId,
      ...(payload === undefined ? {} : { 'content-type': bytes ? 'application/octet-stream' : 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { payload }),
    ...(signal && { signal }),
  })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
}
