import type { FastifyReply, FastifyRequest } from 'fastify'
import { levelOf } from '#platform/access/actor.ts'
import { requireSites } from '#platform/access/require-sites.ts'
import { ACCEPTED, type Endpoint, startedJob, successStatus } from '#platform/contract/endpoint.ts'
import { Problem } from '#platform/contract/problem.ts'
import { holdsMarks, withhold } from '#platform/contract/withhold.ts'
import { conditionsOf } from './bytes/conditions.ts'
import { type Download, sendDownload } from './bytes/download.ts'
import { readUpload } from './bytes/upload.ts'
import type { AnyHandler, AnyHandlerRequest, RequestScope } from './handlers.ts'
import { type Inputs, inputChecks, takeInput } from './inputs.ts'
import { RateLimit } from './rate-limit.ts'
import { toJson } from './reusable.ts'

export interface Route {
  id: string
  endpoint: Endpoint
  handler: AnyHandler
}

/** Called with every answer before it is sent; tests use it to hold answers against their schemas. */
export type AnswerCheck = (route: Route, status: number, reply: unknown) => void

/** Before every handler: a person where one is needed, not too often, with the right input. */
export const admission = (endpoint: Endpoint, now: () => number) => {
  const limit = endpoint.limit ? new RateLimit(endpoint.limit, now) : undefined
  const readInputs = inputChecks(endpoint)
  return (request: FastifyRequest, scope: RequestScope, callerId: string): Inputs => {
    if (endpoint.personOnly) requirePerson(scope)
    limit?.take(callerId)
    const inputs = readInputs(request)
    requireSites(scope.actor, endpoint, inputs)
    return inputs
  }
}

/** One endpoint, for a caller whose level is already known to suffice: is the input right, then the handler. */
export const answerer = (route: Route, now: () => number, check: AnswerCheck | undefined) => {
  const { endpoint, handler } = route
  const admit = admission(endpoint, now)
  const usualStatus = successStatus(endpoint)
  return async (request: FastifyRequest, reply: FastifyReply, scope: RequestScope, callerId: string) => {
    const inputs = admit(request, scope, callerId)
    const value = await handler(await withBytes(endpoint, request, inputs), scope)
    if (endpoint.download) return sendDownload(request, reply, endpoint.download, value as Download)
    const shown = holdsMarks(endpoint.reply) ? withhold(endpoint.reply, value, levelOf(scope.actor)) : value
    const job = startedJob(endpoint, shown)
    const status = job ? ACCEPTED : usualStatus
    check?.(route, status, shown)
    if (job) reply.header('location', `/api/jobs/${job.id}`)
    return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(toJson(shown))
  }
}

/** What a handler gets next to its checked input: a body of bytes, and what the caller thinks is there. */
const withBytes = async (endpoint: Endpoint, request: FastifyRequest, inputs: Inputs): Promise<AnyHandlerRequest> => {
  const { upload: notes, body, conditional } = endpoint
  const conditions = conditional ? { conditions: conditionsOf(request.headers) } : {}
  if (!notes) return { ...inputs, ...conditions }
  const { upload, fields } = await readUpload(request, notes)
  try {
    return { ...inputs, ...conditions, upload, body: body && takeInput('body', body, fields) }
  } catch (error) {
    upload.bytes.destroy()
    throw error
  }
}

const requirePerson = (scope: RequestScope) => {
  if (scope.actor.kind === 'person') return
  throw new Problem('forbidden', 'This changes your own account and needs a browser session. API keys are not allowed.')
}
