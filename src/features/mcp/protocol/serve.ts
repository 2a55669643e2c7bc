import { Readable } from 'node:stream'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ConnectionActor } from '#platform/access/actor.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Door } from '#platform/http/door.ts'
import { watchAccess } from '#platform/http/socket-access.ts'
import type { Scope } from '#platform/scope.ts'
import { liveConnection } from '../connections.ts'
import { loadSdk, serverFor } from './mcp-server.ts'
import type { Visit } from './visit.ts'

/** Files are saved as JSON text, so it is more than the longest of them. */
const BODY_LIMIT = 4_194_304
const REFUSAL_MS = 1000
/** Set by the panel itself, or meaningless for an answer that is passed on. */
const OWN_HEADERS = ['cache-control', 'content-length', 'connection', 'transfer-encoding', 'keep-alive']

/** Adds /mcp, where AI apps speak the Model Context Protocol. Nothing is kept between messages. */
export const serveProtocol = (server: FastifyInstance, door: Door, scope: Scope): void => {
  const { publicUrl, port } = scope.installation
  const origins = [new URL(publicUrl).origin, `http://localhost:${port}`, `http://127.0.0.1:${port}`]
  const challenge = `Bearer resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp"`
  const handler = onFirstUse(createHandler)
  server.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    bodyLimit: BODY_LIMIT,
    config: { level: 'read-only', isForConnections: true },
    onSend: async (_, reply, payload) => {
      if (reply.statusCode === 401) reply.header('www-authenticate', challenge)
      return payload
    },
    handler: async (request, reply) => {
      const actor = requireConnection(request, origins)
      const gone = goneSignal(reply, scope, actor)
      const visit: Visit = { scope, door, actor, caller: request.caller, gone }
      const { fetch } = await handler()
      const answer = fetch(webRequest(request, publicUrl), optionsFor(visit, request))
      return send(reply, await untilGone(gone, answer), gone)
    },
  })
}

const onFirstUse = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

const createHandler = async (): Promise<McpHttpHandler> => {
  const sdk = await loadSdk()
  return sdk.createMcpHandler(({ authInfo }) => serverFor(sdk, authInfo?.extra?.visit as Visit))
}

const optionsFor = (visit: Visit, request: FastifyRequest) => ({
  authInfo: { token: '', clientId: visit.actor.id, scopes: [], extra: { visit } },
  ...(request.body === undefined || request.body === null ? {} : { parsedBody: request.body }),
})

/** Pages of other sites are kept out, whatever token they have. */
const requireConnection = (request: FastifyRequest, origins: readonly string[]): ConnectionActor => {
  const { origin } = request.headers
  if (origin !== undefined && !origins.includes(origin))
    throw new Problem('forbidden', 'Pages of other sites are not allowed to connect here.')
  const { actor } = request.identity
  if (actor.kind === 'connection') return actor
  throw new Problem('forbidden', 'This address is for AI apps. Create a connection under Settings, AI connections.')
}

/** Aborts when the app hangs up, and within 5 s after its connection was paused or revoked. */
const goneSignal = (reply: FastifyReply, scope: Scope, actor: ConnectionActor): AbortSignal => {
  const gone = new AbortController()
  const refused = new Problem('unauthorized', 'This AI connection was paused or revoked.')
  const confirm = async () => {
    if (!(await liveConnection(scope, actor.id))) throw refused
  }
  watchAccess(confirm, () => gone.abort(refused), gone.signal)
  const leave = () => gone.abort(new Problem('conflict', 'The app disconnected.'))
  reply.raw.once('close', leave)
  reply.raw.once('finish', leave)
  return gone.signal
}

const untilGone = <T>(gone: AbortSignal, work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      gone.addEventListener('abort', () => reject(gone.reason as Error), { once: true })
    }),
  ])

/** Without a signal: the tool itself ends when the app is gone, and what it says then should still be sent. */
const webRequest = ({ method, headers }: FastifyRequest, publicUrl: string): Request => {
  const all = new Headers()
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) all.set(name, String(value))
  return new Request(`${publicUrl}/mcp`, { method, headers: all })
}

const send = (reply: FastifyReply, response: Response, gone: AbortSignal): FastifyReply => {
  reply.code(response.status)
  for (const [name, value] of response.headers) if (!OWN_HEADERS.includes(name)) reply.header(name, value)
  if (!response.body) return reply.send()
  const stream = Readable.fromWeb(response.body)
  gone.addEventListener('abort', () => setTimeout(() => stream.destroy(), REFUSAL_MS).unref(), { once: true })
  return reply.send(stream)
}
