import { isUtf8 } from 'node:buffer'
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

export const takeInput = (part: keyof Inputs, schema: z.ZodType, value: unknown): unknown => {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw invalid(part, parsed.error)
  return parsed.data
}

/** Reads and checks the three parts of a request; unknown fields are refused in each. A body of bytes is read later. */
export const inputChecks = (endpoint: Endpoint): ((request: FastifyRequest) => Inputs) => {
  const params = endpoint.params?.strict() ?? nothing
  const query = endpoint.query?.strict() ?? nothing
  const body = endpoint.body ?? noBody
  const hasJson = endpoint.method !== 'GET' && !endpoint.upload
  const read = (request: FastifyRequest): Inputs => {
    refuseNul(request.url)
    return {
      params: takeInput('params', params, request.params ?? {}),
      query: takeInput('query', query, request.query ?? {}),
      body: hasJson ? takeInput('body', body, request.body ?? undefined) : undefined,
    }
  }
  return endpoint.method === 'GET' ? oncePerAddress(read) : read
}

const ADDRESSES_KEPT = 200
const LONGEST_KEPT = 500

/** What a read asks for is all in its address, and open tabs ask for the same again and again. */
const oncePerAddress = (read: (request: FastifyRequest) => Inputs) => {
  const known = new Map<string, Inputs>()
  return (request: FastifyRequest): Inputs => {
    const before = known.get(request.url)
    if (before) return before
    const inputs = read(request)
    if (known.size >= ADDRESSES_KEPT) known.clear()
    if (request.url.length <= LONGEST_KEPT) known.set(request.url, inputs)
    return inputs
  }
}

/** No text of ours holds NUL, and PostgreSQL refuses it; so it ends here, for every field of every endpoint. */
const NUL_IN_URL = /%00/
const NUL_IN_JSON = /(?:^|[^\\])(?:\\\\)*\\u0000/
const HALF_CHARACTER = /\\u[dD][89a-fA-F]/

const refuseNul = (url: string) => {
  if (!NUL_IN_URL.test(url)) return
  throw new Problem('validation_error', 'The address contains a NUL character. Remove it.', [
    { in: 'address', path: '', message: 'contains a NUL character' },
  ])
}

export const wrongJson = () =>
  new Problem('validation_error', 'The body is not valid JSON.', [
    { in: 'body', path: '', message: 'is not valid JSON, or contains a prototype key' },
  ])

const wrongBody = (path: string, message: string) =>
  new Problem('validation_error', `The body ${message}.`, [{ in: 'body', path, message }])

/** The text of a JSON body. What no database keeps as it is, is refused: broken UTF-8, NUL, halves of characters. */
export const readJsonText = (bytes: Buffer): string => {
  if (!isUtf8(bytes)) throw wrongBody('', 'contains bytes that are not UTF-8')
  const text = bytes.toString('utf8')
  if (NUL_IN_JSON.test(text)) throw wrongBody('', 'contains a NUL character')
  if (HALF_CHARACTER.test(text)) refuseHalfCharacters(text)
  return text
}

const refuseHalfCharacters = (text: string) => {
  const look = (key: string, value: unknown) => {
    if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed()))
      throw wrongBody(key.toWellFormed(), 'contains an incomplete character')
    return value
  }
  try {
    JSON.parse(text, look)
  } catch (error) {
    // What is not JSON at all is reported by the parser itself.
    if (!(error instanceof SyntaxError)) throw error instanceof Problem ? error : wrongBody('', 'is nested too deeply')
  }
}
