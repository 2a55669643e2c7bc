import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Identity } from '#platform/access/authenticator.ts'
import { Problem } from '#platform/contract/problem.ts'
import { DOWNLOAD_HEADERS } from './bytes/download.ts'
import type { Caller } from './handlers.ts'
import { type Metrics, measure } from './metrics.ts'
import { toProblem } from './problems.ts'

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

export interface Recording {
  metrics: Metrics
  /** For a change: resolves when it is on record, and only then the answer leaves. Reads may be written down later. */
  record(answered: Answered): Promise<unknown> | undefined
}

/** Counts and writes down an answer that is about to leave. */
export const recorder = (options: Recording) => (request: FastifyRequest, reply: FastifyReply, status: number) => {
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

export const recordAnswers = (server: FastifyInstance, record: ReturnType<typeof recorder>) => {
  server.addHook('onSend', (request, reply, payload, send) => {
    const recorded = record(request, reply, reply.statusCode)
    if (recorded === undefined) return send(null, payload)
    recorded.then(
      () => send(null, payload),
      error => {
        if (payload instanceof Readable) payload.destroy()
        send(null, notRecorded(error, request, reply))
      },
    )
  })
}

/** What could not be written down is not answered as if it were, and why it could not be is for the log alone. */
const notRecorded = (error: unknown, request: FastifyRequest, reply: FastifyReply): string => {
  const { code, message, details, status } = toProblem(error, request.id, 'application/json')
  const mayBeDone = reply.statusCode < 400 ? ' The change may have been made. Check before you repeat it.' : ''
  const problem = new Problem(code, message + mayBeDone, details)
  request.log.error({ err: error, requestId: request.id }, 'could not record a request')
  for (const name of DOWNLOAD_HEADERS) reply.removeHeader(name)
  reply.code(status).type('application/json; charset=utf-8')
  return JSON.stringify(problem.toBody())
}

/** Queries may hold what people search for; the log keeps the path only. */
const pathOf = (url: string) => url.split('?', 1)[0]?.slice(0, 500) ?? ''
