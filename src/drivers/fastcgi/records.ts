import { HostError } from '#platform/host/errors.ts'

/** What answered does not speak FastCGI, or ended the conversation in the middle. */
export class FastcgiError extends HostError {
  readonly code = 'fastcgi_error'
}

export const TYPE = { begin: 1, end: 3, params: 4, stdin: 5, stdout: 6, stderr: 7 } as const

const VERSION = 1
const REQUEST_ID = 1
const HEADER_BYTES = 8
/** A record can hold a little more, but this keeps the pieces even. */
const LARGEST_CONTENT = 32_768
const LONGEST_SHORT = 127

export interface FastcgiRecord {
  readonly type: number
  readonly content: Buffer
}

/** The content in as many records as it takes; an empty one ends a stream. */
export const recordsOf = (type: number, content: Buffer): Buffer => {
  const pieces: Buffer[] = []
  for (let at = 0; at === 0 || at < content.length; at += LARGEST_CONTENT) {
    const piece = content.subarray(at, at + LARGEST_CONTENT)
    pieces.push(Buffer.from([VERSION, type, 0, REQUEST_ID, piece.length >> 8, piece.length & 255, 0, 0]), piece)
  }
  return Buffer.concat(pieces)
}

/** As a responder, and hang up afterwards. */
export const beginRequest = (): Buffer => recordsOf(TYPE.begin, Buffer.from([0, 1, 0, 0, 0, 0, 0, 0]))

export const encodePairs = (pairs: Readonly<Record<string, string>>): Buffer =>
  Buffer.concat(
    Object.entries(pairs).flatMap(([name, value]) => {
      const [key, data] = [Buffer.from(name), Buffer.from(value)]
      return [lengthOf(key), lengthOf(data), key, data]
    }),
  )

const lengthOf = ({ length }: Buffer): Buffer => {
  if (length <= LONGEST_SHORT) return Buffer.from([length])
  const long = Buffer.alloc(4)
  long.writeUInt32BE((length | 0x8000_0000) >>> 0)
  return long
}

/** The records of an answer, as they come. */
export const readRecords = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<FastcgiRecord> {
  let held: Buffer = Buffer.alloc(0)
  for await (const chunk of source) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    for (let size = sizeOf(held); size !== undefined && held.length >= size; size = sizeOf(held)) {
      yield { type: held.readUInt8(1), content: held.subarray(HEADER_BYTES, HEADER_BYTES + held.readUInt16BE(4)) }
      held = held.subarray(size)
    }
  }
}

/** Of the first record, padding included; undefined until its header is there. */
const sizeOf = (held: Buffer): number | undefined => {
  if (held.length < HEADER_BYTES) return undefined
  if (held.readUInt8(0) !== VERSION || held.readUInt16BE(2) !== REQUEST_ID) {
    throw new FastcgiError('the response is not FastCGI')
  }
  return HEADER_BYTES + held.readUInt16BE(4) + held.readUInt8(6)
}
