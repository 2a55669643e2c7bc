import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Actor } from '#platform/access/actor.ts'
import type { Authenticator, Identity } from '#platform/access/authenticator.ts'
import { requireLevel } from '#platform/access/require-level.ts'
import type { Level } from '#platform/contract/level.ts'
import { newId } from '#platform/db/id.ts'
import { type AnswerCheck, answerer, type Route } from './answer.ts'
import type { Caller, RequestScope } from './handlers.ts'
import { hostGuard } from './host-guard.ts'
import { callerId, type Identifier, identifier, refuseWrongKey } from './identify.ts'
import { readJsonText, wrongJson } from './inputs.ts'
import { type Metrics, measure } from './metrics.ts'
import { toProblem, unforeseen } from './problems.ts'
import { RateLimit } from './rate-limit.ts'
import { securityHeaders } from './security-headers.ts'
import { clearSessionCookie, setSessionCookie } from './session-cookie.ts'
import { wantsSocket } from './socket-upgrade.ts'
import { Sockets } from './sockets.ts'
import { answerUnreadable, readableUrl } from './unreadable.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may come here. Every route has it; without one the panel does not start. */
    level?: Level
    endpointId?: string
    isSocket?: boolean
    /** A page or file of the browser interface: the same for everybody, and many are needed at once. */
    isFile?: boolean
  }
  interface FastifyRequest {
    identity: Identity
    caller: Caller
    jobId: string | null
  }
}

/** A finished request, for the activity log and the metrics. */
export interface Answered {
  identity: Identity
  caller: Caller
  endpointId: string | null
  method: string
  path: string
  status: number
  durationMs: number
  jobId: string | null
}

export interface ServerOptions {
  publicUrl: string
  trustedProxies: string[]
  port: number
  csrfKey: Buffer
  routes: readonly Route[]
  authenticators: readonly Authenticator[]
  metrics: Metrics
  log: FastifyBaseLogger
  now(): number
  scope(actor: Actor, parts: Pick<RequestScope, 'caller' | 'browser'>, onJob: (jobId: string) => void): RequestScope
  /** For a change: resolves when it is on record, and only then the answer leaves. Reads may be written down later. */
  record(answered: Answered): Promise<unknown> | undefined
  check: AnswerCheck | undefined
}

const NOBODY: Identity = { actor: { kind: 'anonymous' } }
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/
const BODY_LIMIT = 1_048_576
/** For endpoints that everyone may call: reading a large body costs more than anyone unknown may ask for. */
const OPEN_BODY_LIMIT = 16_384
const GENERAL_LIMIT = { requests: 300, windowMs: 60_000 }
/** More than fits into the head of a request: how long a name may be is for its schema to say. */
const PARAM_LIMIT = 16_384

export const buildServer = async (options: ServerOptions): Promise<FastifyInstance> => {
  const server = Fastify({
    bodyLimit: BODY_LIMIT,
    trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    requestTimeout: 120_000,
    genReqId: request => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId()
    },
    loggerInstance: options.log,
    // A logger per request costs more than most requests; the two lines that need its id name it.
    childLoggerFactory: log => log,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: PARAM_LIMIT },
    // Requests without a Host, or with two, come to the guard, which refuses them in the words of the API.
    http: { requireHostHeader: false, joinDuplicateHeaders: true, shouldUpgradeCallback: wantsSocket },
    rewriteUrl: ({ url }) => readableUrl(url),
    clientErrorHandler: answerUnreadable(securityHeaders(options.publicUrl)),
    // What is under way on an open connection is answered, not cut off.
    return503OnClosing: false,
  })
  // Expectations the panel does not know are left unmet; Node itself would answer without a body.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response))
  server.decorateRequest('jobId', null)
  acceptJsonOnly(server)
  requireLevels(server)
  const identity = createIdentifier(options)
  guard(server, options, identity)
  answerErrors(server)
  const record = recorder(options)
  recordAnswers(server, record)
  const sockets = new Sockets(server, { record, now: options.now, identifyAgain: identity.identifyAgain })
  for (const route of options.routes) addRoute(server, options, route, sockets)
  return server
}

const createIdentifier = ({ publicUrl, port, authenticators, csrfKey, now }: ServerOptions): Identifier => {
  const origins = [new URL(publicUrl).origin, `http://localhost:${port}`, `http://127.0.0.1:${port}`]
  return identifier(authenticators, origins, csrfKey, now)
}

/** Bodies are JSON or nothing: forms and plain text are what other sites can make a browser send. */
const acceptJsonOnly = (server: FastifyInstance) => {
  server.removeAllContentTypeParsers()
  const parse = server.getDefaultJsonParser('error', 'error')
  server.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    let text: string
    try {
      text = readJsonText(bytes)
    } catch (error) {
      return done(error as Error)
    }
    return parse(request, text, (error, body) => done(error ? wrongJson() : null, body))
  })
}

const requireLevels = (server: FastifyInstance) => {
  server.addHook('onRoute', route => {
    if (route.config?.level === undefined)
      throw new Error(`the route ${String(route.method)} ${route.url} does not say who may come there`)
  })
}

/** Before anything else of a request: headers, the name it was sent to, who sends it, and how often. */
const guard = (server: FastifyInstance, options: ServerOptions, { identify }: Identifier) => {
  const general = new RateLimit(GENERAL_LIMIT, options.now)
  const headers = securityHeaders(options.publicUrl)
  const checkHost = hostGuard(options.publicUrl, options.port)
  server.addHook('onRequest', async (request, reply) => {
    request.identity = NOBODY
    request.caller = callerOf(request)
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    checkHost(request)
    // Nobody is asked who they are, so nothing can be guessed here either.
    if (request.routeOptions.config.isFile) return
    request.identity = await identify(request)
    const { actor } = request.identity
    general.take(callerId(actor, request.caller.address))
    refuseWrongKey(request, actor)
    const level = request.routeOptions.config.level
    if (level !== undefined) requireLevel(actor, level)
  })
}

const answerErrors = (server: FastifyInstance) => {
  server.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error, request.id)
    if (problem.code === 'internal')
      request.log.error({ err: error, requestId: request.id }, 'a request failed in a way nobody foresaw')
    if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', String(problem.retryAfterSeconds))
    return reply.code(problem.status).send(problem.toBody())
  })
}

/** Counts and writes down an answer that is about to leave. */
const recorder = (options: ServerOptions) => (request: FastifyRequest, reply: FastifyReply, status: number) => {
  const answered: Answered = {
    identity: request.identity,
    caller: request.caller,
    endpointId: request.routeOptions.config.endpointId ?? null,
    method: request.method,
    path: pathOf(request.originalUrl),
    status,
    durationMs: Math.round(reply.elapsedTime),
    jobId: request.jobId,
  }
  measure(options.metrics, answered)
  request.log.debug({ endpoint: answered.endpointId, path: answered.path, status: answered.status }, 'answered')
  return options.record(answered)
}

const recordAnswers = (server: FastifyInstance, record: ReturnType<typeof recorder>) => {
  server.addHook('onSend', (request, reply, payload, send) => {
    const recorded = record(request, reply, reply.statusCode)
    if (recorded === undefined) return send(null, payload)
    recorded.then(
      () => send(null, payload),
      error => send(null, notRecorded(error, request, reply)),
    )
  })
}

/** What could not be written down is not answered as if it were, and why it could not be is for the log alone. */
const notRecorded = (error: unknown, request: FastifyRequest, reply: FastifyReply): string => {
  const problem = unforeseen(request.id)
  request.log.error({ err: error, requestId: request.id }, 'a request could not be written down')
  reply.code(problem.status).type('application/json; charset=utf-8')
  return JSON.stringify(problem.toBody())
}

/** Queries may hold what people search for; the log keeps the path only. */
const pathOf = (url: string) => url.split('?', 1)[0]?.slice(0, 500) ?? ''

const callerOf = (request: FastifyRequest): Caller => ({
  address: request.ip,
  userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
  requestId: request.id,
})

const addRoute = (server: FastifyInstance, options: ServerOptions, route: Route, sockets: Sockets) => {
  const { socket } = route.endpoint
  const answer = socket ? sockets.answerer(route, socket) : answerer(route, options.now, options.check)
  server.route({
    method: route.endpoint.method,
    url: route.endpoint.path,
    bodyLimit: route.endpoint.level === 'none' ? OPEN_BODY_LIMIT : BODY_LIMIT,
    config: { level: route.endpoint.level, endpointId: route.id, isSocket: socket !== undefined },
    handler: (request, reply) => {
      const { actor } = request.identity
      const scope = options.scope(actor, { caller: request.caller, browser: browserOf(reply) }, jobId => {
        request.jobId = jobId
      })
      return answer(request, reply, scope, callerId(actor, request.caller.address))
    },
  })
}

const browserOf = (reply: FastifyReply): RequestScope['browser'] => ({
  signIn: token => void reply.header('set-cookie', setSessionCookie(token)),
  signOut: () => void reply.header('set-cookie', clearSessionCookie()),
})
