import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { type Actor, levelOf } from '#platform/access/actor.ts'
import { isLoopback } from '#platform/access/address.ts'
import type { Authenticator, Identity } from '#platform/access/authenticator.ts'
import { requireLevel } from '#platform/access/require-level.ts'
import { requireReach } from '#platform/access/require-reach.ts'
import type { Endpoint } from '#platform/contract/endpoint.ts'
import type { Level } from '#platform/contract/level.ts'
import { Problem } from '#platform/contract/problem.ts'
import { newId } from '#platform/db/id.ts'
import { type AnswerCheck, answerer, type Route } from './answer.ts'
import { BODY_PACE, boundBodies, NO_BODY_BYTES } from './bytes/bounded-body.ts'
import { DOWNLOAD_HEADERS } from './bytes/download.ts'
import type { Pace } from './bytes/pace.ts'
import { FORM_MARGIN_BYTES, takeBytes, uploadType } from './bytes/upload.ts'
import { createDoor, type Door } from './door.ts'
import type { Caller, RequestScope } from './handlers.ts'
import { hostGuard } from './host-guard.ts'
import { HttpProblem } from './http-problem.ts'
import { callerId, type Identifier, identifier, refuseWrongKey } from './identify.ts'
import { readJsonText, wrongJson } from './inputs.ts'
import { Methods } from './methods.ts'
import { bodyFor, toProblem } from './problems.ts'
import { RateLimit } from './rate-limit.ts'
import { type Recording, recordAnswers, recorder } from './recording.ts'
import { securityHeaders } from './security-headers.ts'
import { clearSessionCookie, setSessionCookie } from './session-cookie.ts'
import { wantsSocket } from './socket-upgrade.ts'
import { Sockets } from './sockets.ts'
import { answerUnreadable, nothingHere, readableUrl } from './unreadable.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may come here. Every route has it; without one the panel does not start. */
    level?: Level
    endpointId?: string
    endpoint?: Endpoint
    /** Where AI connections talk to the panel; everywhere else they come with a tool. */
    isForConnections?: boolean
    isSocket?: boolean
    /** The content type that bodies have here; JSON when left out. */
    bodyType?: string
    /** A page or file of the browser interface: the same for everyone, and many are needed at once. */
    isFile?: boolean
  }
  interface FastifyRequest {
    identity: Identity
    caller: Caller
    jobId: string | null
  }
}

export interface ServerOptions extends Recording {
  publicUrl: string
  trustedProxies: string[]
  port: number
  csrfKey: Buffer
  routes: readonly Route[]
  authenticators: readonly Authenticator[]
  log: FastifyBaseLogger
  now(): number
  scope(actor: Actor, parts: Pick<RequestScope, 'caller' | 'browser'>, onJob: (jobId: string) => void): RequestScope
  check: AnswerCheck | undefined
  /** How fast bodies have to arrive; tests hurry. */
  bodyPace?: Pace | undefined
  /** While the panel is being updated, only looking is allowed. */
  isInMaintenance?(): boolean
  /** What features serve next to their endpoints. */
  faces?: readonly ((server: FastifyInstance, door: Door) => void)[]
}

const NOBODY: Identity = { actor: { kind: 'anonymous' } }
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/
/** Of JSON. Reading a large body keeps everyone waiting, so what needs more says so in its contract. */
const BODY_LIMIT = 65_536
/** For endpoints that everyone may call. */
const OPEN_BODY_LIMIT = 16_384
const GENERAL_LIMIT = { requests: 300, windowMs: 60_000 }
/** More than fits into the head of a request: how long a name may be is for its schema to say. */
const PARAM_LIMIT = 16_384

const refuseSchemas = (): never => {
  throw new Error('Endpoints are described by contracts, not by schemas of Fastify.')
}
/** Fastify would load two compilers for schemas that no endpoint has. */
const NO_SCHEMAS = { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } }

export const buildServer = async (options: ServerOptions): Promise<FastifyInstance> => {
  const server = Fastify({
    bodyLimit: NO_BODY_BYTES,
    trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
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
    schemaController: NO_SCHEMAS,
  })
  // Expectations the panel does not know are left unmet; Node itself would answer without a body.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response))
  server.decorateRequest('jobId', null)
  acceptJsonOnly(server)
  requireLevels(server)
  const door = createDoor(new URL(options.publicUrl).host)
  const identity = createIdentifier({ ...options, authenticators: [door.authenticate, ...options.authenticators] })
  guard(server, options, identity)
  boundBodies(server, options.bodyPace ?? BODY_PACE)
  answerErrors(server)
  const record = recorder(options)
  recordAnswers(server, record)
  const sockets = new Sockets(server, { record, now: options.now, identifyAgain: identity.identifyAgain })
  for (const route of options.routes) addRoute(server, options, route, sockets)
  for (const addFace of options.faces ?? []) addFace(server, door.open(server))
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
      throw new Error(`the route ${String(route.method)} ${route.url} has no access level`)
  })
}

/** Before anything else of a request: headers, the name it was sent to, who sends it, and how often. */
const guard = (server: FastifyInstance, options: ServerOptions, { identify }: Identifier) => {
  const methods = new Methods(server)
  const general = new RateLimit(GENERAL_LIMIT, options.now)
  const headers = securityHeaders(options.publicUrl)
  const checkHost = hostGuard(options.publicUrl, options.port)
  server.addHook('onRequest', async (request, reply) => {
    request.identity = NOBODY
    request.caller = callerOf(request)
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    checkHost(request)
    // No one is asked who they are, so nothing can be guessed here either.
    if (request.routeOptions.config.isFile) return
    request.identity = await identify(request)
    const { actor } = request.identity
    const { level, endpoint, isForConnections } = request.routeOptions.config
    if (!isUnlimited(request)) general.take(callerId(actor, request.caller.address))
    refuseWrongKey(request)
    if (level !== undefined) requireLevel(actor, level)
    if (!isForConnections) requireReach(actor, endpoint)
    if (!LOOKING.has(request.method) && options.isInMaintenance?.()) throw updating()
    if (request.is404) refuseUnknown(request, methods)
  })
}

/** Someone with a key, even a wrong one, is always counted. */
const isUnlimited = ({ routeOptions: { config }, identity, headers, caller }: FastifyRequest): boolean =>
  config.endpoint?.unlimitedHere === true &&
  identity.actor.kind === 'anonymous' &&
  headers.authorization === undefined &&
  isLoopback(caller.address)

const LOOKING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
const UPDATE_SECONDS = 30

const updating = () =>
  new Problem('maintenance', 'The panel is being updated. Try again in a minute; sites keep running.', null, {
    retryAfterSeconds: UPDATE_SECONDS,
  })

/** Before any body is read. People who follow a link to nowhere get a page, which is not for here. */
const refuseUnknown = (request: FastifyRequest, methods: Methods) => {
  methods.refuseOthers(request.method, request.url)
  if (request.method !== 'GET' && request.method !== 'HEAD') throw nothingHere(request.url === request.originalUrl)
}

const answerErrors = (server: FastifyInstance) => {
  server.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error, request.id, request.routeOptions.config.bodyType ?? 'application/json')
    if (problem.code === 'internal')
      request.log.error({ err: error, requestId: request.id }, 'a request failed unexpectedly')
    for (const name of DOWNLOAD_HEADERS) reply.removeHeader(name)
    // A refused body is read to its end for a while, or the caller might never get to see the answer.
    reply.removeHeader('connection')
    if (problem instanceof HttpProblem) reply.headers(problem.headers)
    if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', String(problem.retryAfterSeconds))
    // A download may have said what it is before its first bytes could be read.
    reply.type('application/json; charset=utf-8')
    return reply.code(problem.status).send(bodyFor(problem, levelOf(request.identity.actor)))
  })
}

const callerOf = (request: FastifyRequest): Caller => ({
  address: request.ip,
  userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
  requestId: request.id,
})

const bodyLimitOf = ({ level, body, maxBodyBytes, upload }: Endpoint): number => {
  if (upload) return upload.maxBytes + (upload.part === undefined ? 0 : FORM_MARGIN_BYTES)
  if (!body) return NO_BODY_BYTES
  return maxBodyBytes ?? (level === 'none' ? OPEN_BODY_LIMIT : BODY_LIMIT)
}

const addRoute = (server: FastifyInstance, options: ServerOptions, route: Route, sockets: Sockets) => {
  const { endpoint, id } = route
  const { socket, upload, level } = endpoint
  const answer = socket ? sockets.answerer(route, socket) : answerer(route, options.now, options.check)
  const addTo = (place: FastifyInstance) =>
    place.route({
      // Fastify's own HEAD would open a download and throw its length away.
      method: endpoint.download ? ['GET', 'HEAD'] : endpoint.method,
      url: endpoint.path,
      bodyLimit: bodyLimitOf(endpoint),
      config: {
        level,
        endpointId: id,
        endpoint,
        isSocket: socket !== undefined,
        ...(upload && { bodyType: uploadType(upload) }),
      },
      handler: (request, reply) => {
        const { actor } = request.identity
        const scope = options.scope(actor, { caller: request.caller, browser: browserOf(reply) }, jobId => {
          request.jobId = jobId
        })
        return answer(request, reply, scope, callerId(actor, request.caller.address))
      },
    })
  if (!upload) addTo(server)
  else
    server.register(async place => {
      takeBytes(place, upload)
      addTo(place)
    })
}

const browserOf = (reply: FastifyReply): RequestScope['browser'] => ({
  signIn: token => void reply.header('set-cookie', setSessionCookie(token)),
  signOut: () => void reply.header('set-cookie', clearSessionCookie()),
})
