import type { FastifyReply, FastifyRequest } from 'fastify'
import { levelOf } from '#platform/access/actor.ts'
import { type Endpoint, successStatus } from '#platform/contract/endpoint.ts'
import { Problem } from '#platform/contract/problem.ts'
import { holdsMarks, withhold } from '#platform/contract/withhold.ts'
import type { AnyHandler, RequestScope } from './handlers.ts'
import { type Inputs, inputChecks } from './inputs.ts'
import { RateLimit } from './rate-limit.ts'
import { toJson } from './reusable.ts'

export interface Route {
  id: string
  endpoint: Endpoint
  handler: AnyHandler
}

/** Called with every answer before it is sent; tests use it to hold answers against their schemas. */
export type AnswerCheck = (route: Route, status: number, reply: unknown) => void

/** One endpoint, for a caller whose level is already known to suffice: is the input right, then the handler. */
export const answerer = (route: Route, now: () => number, check: AnswerCheck | undefined) => {
  const { endpoint, handler } = route
  const limit = endpoint.limit ? new RateLimit(endpoint.limit, now) : undefined
  const readInputs = inputChecks(endpoint)
  const marked = holdsMarks(endpoint.reply)
  const status = successStatus(endpoint)
  return async (request: FastifyRequest, reply: FastifyReply, scope: RequestScope, callerId: string) => {
    if (endpoint.personOnly) requirePerson(scope)
    limit?.take(callerId)
    const inputs: Inputs = readInputs(request)
    const value = await handler(inputs, scope)
    const shown = marked ? withhold(endpoint.reply, value, levelOf(scope.actor)) : value
    check?.(route, status, shown)
    if (endpoint.job) reply.header('location', `/api/jobs/${startedJob(shown)}`)
    return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(toJson(shown))
  }
}

const requirePerson = (scope: RequestScope) => {
  if (scope.actor.kind === 'person') return
  throw new Problem(
    'forbidden',
    'This acts on the account of the person who asks and needs a browser session; an API key has none.',
  )
}

const startedJob = (reply: unknown): string => (reply as { job: { id: string } }).job.id
