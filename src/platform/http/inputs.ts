import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Endpoint } from '#platform/contract/endpoint.ts'
import { Problem } from '#platform/contract/problem.ts'
import { invalid } from './problems.ts'

export interface Inputs {
  params: unknown
  query: unknown
  body: unknown
}

const nothing = z.strictObject({})
const noBody = z.strictObject({}).nullish()

/** Reads and checks the three parts of a request; unknown fields are refused in each. */
export const inputChecks = (endpoint: Endpoint): ((request: FastifyRequest) => Inputs) => {
  const params = endpoint.params?.strict() ?? nothing
  const query = endpoint.query?.strict() ?? nothing
  const body = endpoint.body ?? noBody
  const take = (part: keyof Inputs, schema: z.ZodType, value: unknown) => {
    const parsed = schema.safeParse(value)
    if (!parsed.success) throw invalid(part, parsed.error)
    return parsed.data
  }
  return request => {
    refuseNul(request.url)
    return {
      params: take('params', params, request.params ?? {}),
      query: take('query', query, request.query ?? {}),
      body: endpoint.method === 'GET' ? undefined : take('body', body, request.body ?? undefined),
    }
  }
}

/** No text of ours holds NUL, and PostgreSQL refuses it; so it ends here, for every field of every endpoint. */
const NUL_IN_URL = /%00/
const NUL_IN_JSON = /(?:^|[^\\])(?:\\\\)*\\u0000/

const refuseNul = (url: string) => {
  if (NUL_IN_URL.test(url)) throw new Problem('validation_error', 'The address holds a NUL character. Send it without.')
}

export const refuseNulInJson = (text: string): void => {
  if (NUL_IN_JSON.test(text)) throw new Problem('validation_error', 'The body holds a NUL character. Send it without.')
}
