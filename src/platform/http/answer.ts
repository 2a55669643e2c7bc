import type { FastifyReply, FastifyRequest } from 'fastify'
import { levelOf } from '#platform/access/actor.ts'
import { ACCEPTED, type Endpoint, startedJob, successStatus } from '#platform/contract/endpoint.ts'
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

/** Before every handler: a person where one is needed, not too often, with the right input. */
export const admission = (endpoint: Endpoint, now: () => number) => {
  const limit = endpoint.limit ? new RateLimit(endpoint.limit, now) : undefined
  const readInputs = inputChecks(endpoint)
  return (request: FastifyRequest, scope: RequestScope, callerId: string): Inputs => {
    if (endpoint.personOnly) requirePerson(scope)
    limit?.take(callerId)
    return readInputs(request)
  }
}

/** One endpoint, for a caller whose level is already known to suffice: is the input right, then the handler. */
export const answerer = (route: Route, now: () => number, check: AnswerCheck | undefined) => {
  const { endpoint, handler } = route
  const admit = admission(endpoint, now)
  const marked = holdsMarks(endpoint.reply)
  const usualStatus = successStatus(endpoint)
  return async (request: FastifyRequest, reply: FastifyReply, scope: RequestScope, callerId: string) => {
    const value = await handler(admit(request, scope, callerId), scope)
    const shown = marked ? withhold(endpoint.reply, value, levelOf(scope.actor)) : value
    const job = startedJob(endpoint, shown)
    const status = job ? ACCEPTED : usualStatus
    check?.(route, status, shown)
    if (job) reply.header('location', `/api/jobs/${job.id}`)
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
