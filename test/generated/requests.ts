import fc from 'fast-check'
import { type AnyArgs, callUrl } from '#platform/contract/client.ts'
import { argsOf, type Pool } from './arbitrary.ts'
import { BROKEN_BODIES } from './broken-bodies.ts'
import { type Input, inputsOf, withInput } from './inputs.ts'
import { oddBytes } from './odd-bytes.ts'
import { PAYLOADS } from './payloads.ts'
import { sentBody } from './sent-body.ts'
import type { Served } from './served.ts'

/** A request as it goes out, and what it was made from. */
export interface Planned {
  id: string
  kind: string
  method: string
  url: string
  headers: Record<string, string>
  raw?: string | Buffer
}

/** Makes arguments for endpoints whose contract says less than the panel knows. */
export type Hints = Record<string, fc.Arbitrary<AnyArgs>>

const planned = ({ id, endpoint }: Served, kind: string, args: AnyArgs): Planned => ({
  id,
  kind,
  method: endpoint.method,
  url: callUrl(endpoint, args),
  ...sentBody(endpoint, args.body),
})

const LARGE = /100,000|10,000|mebibyte/
const smallBreaks = Object.entries(BROKEN_BODIES).filter(([name]) => !LARGE.test(name))
const largeBreaks = Object.entries(BROKEN_BODIES).filter(([name]) => LARGE.test(name))

/** Large bodies are rare: each costs as much as a hundred others. */
const anyBreak = fc.oneof(
  { weight: 300, arbitrary: fc.constantFrom(...smallBreaks) },
  { weight: 1, arbitrary: fc.constantFrom(...largeBreaks) },
)

const withBrokenBody = (one: Served, args: AnyArgs) =>
  anyBreak.map(([name, broken]): Planned => {
    const { raw, contentType = 'application/json' } = broken(args.body)
    const headers: Record<string, string> = contentType === '' ? {} : { 'content-type': contentType }
    return { ...planned(one, `body: ${name}`, args), headers, raw }
  })

const anyValue = fc.oneof(
  fc.constantFrom<unknown>(...PAYLOADS),
  fc.jsonValue({ maxDepth: 2 }),
  fc.constant('x'.repeat(5000)),
)

const withWrongValue = (one: Served, args: AnyArgs, inputs: readonly Input[]) =>
  inputs.length === 0
    ? withOddAddress(one, args)
    : fc.tuple(fc.constantFrom(...inputs), anyValue).map(([input, value]): Planned => {
        const isText = input.part !== 'body'
        const put = isText && typeof value === 'object' ? JSON.stringify(value) : value
        return planned(one, `${input.part}.${input.path.join('.')}`, withInput(args, input, put))
      })

const queryPart = fc.oneof(fc.constantFrom(...PAYLOADS), fc.string({ maxLength: 20 }))

const withOddAddress = (one: Served, args: AnyArgs) =>
  fc
    .tuple(
      fc.array(fc.tuple(queryPart, queryPart), { maxLength: 4 }),
      fc.nat(),
      fc.constantFrom(...PAYLOADS, '%', '%ff', '%00'),
    )
    .map(([pairs, at, odd]): Planned => {
      const right = planned(one, 'address', args)
      const [path = ''] = right.url.split('?')
      const segments = path.split('/')
      if (pairs.length === 0)
        segments.splice(1 + (at % segments.length), at % 2, encodeURI(odd.slice(0, 500).toWellFormed()))
      const query = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
      const broken = at % 5 === 0 ? odd.slice(0, 3) : ''
      return { ...right, url: `/${segments.join('/').replace(/^\/+/, '')}${broken}?${query}` }
    })

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

const withOddHead = (one: Served, args: AnyArgs) =>
  fc
    .record({
      method: fc.constantFrom(one.endpoint.method, ...METHODS),
      type: fc.constantFrom('application/json', 'application/json; charset=utf-16', 'text/plain', 'x', '*/*', ''),
      'x-request-id': fc.string({ unit: 'grapheme-ascii', maxLength: 80 }),
      'user-agent': fc.string({ unit: 'grapheme-ascii', maxLength: 400 }),
      accept: fc.constantFrom('text/html', '*/*', 'application/xml', ''),
    })
    .map(({ method, type, ...headers }): Planned => {
      const sent: Record<string, string> = type === '' ? headers : { ...headers, 'content-type': type }
      return { ...planned(one, 'head', args), method, headers: sent }
    })

const withOddBytes = (one: Served, args: AnyArgs) =>
  oddBytes(one, args).map((sent): Planned => ({ ...planned(one, 'bytes', args), ...sent }))

const carriesBytes = ({ endpoint }: Served) => endpoint.upload !== undefined || endpoint.download !== undefined

const malformed = (one: Served, args: AnyArgs, inputs: readonly Input[]): fc.Arbitrary<Planned> =>
  fc.oneof(
    { weight: carriesBytes(one) ? 5 : 0, arbitrary: withOddBytes(one, args) },
    { weight: 3, arbitrary: withBrokenBody(one, args) },
    { weight: 5, arbitrary: withWrongValue(one, args, inputs) },
    { weight: 2, arbitrary: withOddAddress(one, args) },
    { weight: 1, arbitrary: withOddHead(one, args) },
  )

/** Requests to these endpoints: half of them as the contracts ask, half of them broken somewhere. */
export const requestsTo = (those: readonly Served[], pool: Pool, hints: Hints): fc.Arbitrary<Planned> =>
  fc.oneof(
    ...those.map(one => {
      const inputs = inputsOf(one.endpoint)
      const args = hints[one.id]
        ? fc.oneof(hints[one.id] ?? fc.constant({}), argsOf(one.endpoint, pool))
        : argsOf(one.endpoint, pool)
      return args.chain(made => fc.oneof(fc.constant(planned(one, 'valid', made)), malformed(one, made, inputs)))
    }),
  )
