import { z } from 'zod'
import { type AnyArgs, callUrl } from '#platform/contract/client.ts'
import type { ServedEndpoint } from '#platform/contract/endpoint.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { DoorRequest } from '#platform/http/door.ts'

const Values = z.record(z.string().max(60), z.union([z.string(), z.number(), z.boolean()]))

/** What every tool that calls an endpoint takes. */
export const callInput = {
  endpoint: z.string().max(100).describe('operation id, such as siteGet'),
  params: Values.optional().describe('values for the :names in the path'),
  query: Values.optional(),
}

export const bodyInput = z.record(z.string(), z.unknown()).optional().describe('JSON body')

export interface CallArgs {
  params?: z.infer<typeof Values> | undefined
  query?: z.infer<typeof Values> | undefined
  body?: Record<string, unknown> | undefined
}

const wrongParam = (name: string, message: string) =>
  new Problem('validation_error', `params.${name} ${message}.`, [{ in: 'params', path: name, message }])

/** A value in a path stays one part of it, whatever it is. */
const checkParams = ({ path }: ServedEndpoint['endpoint'], given: CallArgs['params'] = {}) => {
  const wanted = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  for (const name of wanted) {
    const value = String(given[name] ?? '')
    if (value === '') throw wrongParam(name, 'is required')
    if (/^\.+$/.test(value)) throw wrongParam(name, 'is not a name')
  }
  const unknown = Object.keys(given).find(name => !wanted.includes(name))
  if (unknown !== undefined) throw wrongParam(unknown, `is not in the path ${path}`)
}

/** The request that a call of an endpoint is. */
export const requestOf = ({ id, endpoint }: ServedEndpoint, { params, query, body }: CallArgs): DoorRequest => {
  if (endpoint.upload) throw new Problem('validation_error', `${id} takes a file, which this tool can't send.`, null)
  checkParams(endpoint, params)
  return {
    method: endpoint.method,
    url: callUrl(endpoint, { params, query } as AnyArgs),
    ...(endpoint.body && { json: body ?? {} }),
  }
}
