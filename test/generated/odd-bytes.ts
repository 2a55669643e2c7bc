import fc from 'fast-check'
import type { AnyArgs } from '#platform/contract/client.ts'
import { type SentBody, sentBody } from './sent-body.ts'
import type { Served } from './served.ts'

const tag = fc.oneof(
  fc.constantFrom('*', '""', 'W/"x"', '"a", "b"', 'x', '"', ','),
  fc.string({ unit: 'grapheme-ascii', maxLength: 30 }),
)
const number = fc.oneof(fc.nat(40), fc.constantFrom('', -1, 1e15, '99999999999999999999'))
const range = fc.oneof(
  fc.tuple(number, number).map(([start, end]) => `bytes=${start}-${end}`),
  fc.constantFrom('bytes=0-1,2-3', 'bytes', 'lines=1-2', '='),
)

/** What a caller may say about the bytes that are there. */
const headers = fc.record({ 'if-match': tag, 'if-none-match': tag, 'if-range': tag, range }, { requiredKeys: [] })

/** A form with a piece cut out of it or put into it, or one that is none at all. */
const brokenForm = ({ headers: type, raw = '' }: SentBody): fc.Arbitrary<SentBody> =>
  fc.tuple(fc.nat(raw.length), fc.nat(40), fc.uint8Array({ maxLength: 40 })).map(([at, count, piece]) => {
    const whole = Buffer.from(raw)
    return { headers: type, raw: Buffer.concat([whole.subarray(0, at), piece, whole.subarray(at + count)]) }
  })

const anyBytes = ({ headers: type }: SentBody): fc.Arbitrary<SentBody> =>
  fc.uint8Array({ maxLength: 30_000 }).map(bytes => ({ headers: type, raw: Buffer.from(bytes) }))

/** Bodies of bytes as anyone may send them, with conditions and ranges as anyone may ask for. */
export const oddBytes = ({ endpoint }: Served, args: AnyArgs): fc.Arbitrary<SentBody> => {
  const right = sentBody(endpoint, args.body)
  const body =
    endpoint.upload === undefined
      ? fc.constant(right)
      : fc.oneof(anyBytes(right), endpoint.upload.part === undefined ? fc.constant(right) : brokenForm(right))
  return fc.tuple(body, headers).map(([sent, more]) => ({ ...sent, headers: { ...sent.headers, ...more } }))
}
