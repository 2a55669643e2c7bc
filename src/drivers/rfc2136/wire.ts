import { DnsUnreachable } from '#platform/dns/errors.ts'

/** Numbers of RFC 1035, 2136 and 8945 that the driver uses. */
export const TYPES = { A: 1, CNAME: 5, SOA: 6, TXT: 16, AAAA: 28, TSIG: 250, ANY: 255 } as const
export const CLASSES = { IN: 1, NONE: 254, ANY: 255 } as const

export interface ResourceRecord {
  readonly name: string
  readonly type: number
  readonly class: number
  readonly ttl: number
  readonly data: Buffer
  /** Where the record begins in its message, and where its data does. */
  readonly startsAt: number
  readonly dataAt: number
}

export interface Message {
  readonly bytes: Buffer
  readonly id: number
  readonly isAuthoritative: boolean
  readonly code: number
  readonly answers: readonly ResourceRecord[]
  readonly authority: readonly ResourceRecord[]
  readonly additional: readonly ResourceRecord[]
}

const LONGEST_LABEL = 63
const MAX_POINTERS = 50
const POINTER = 0xc0

export const number16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

export const number32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export const encodeName = (name: string): Buffer => {
  const labels = name === '' ? [] : name.split('.')
  const parts = labels.flatMap(label => {
    const text = Buffer.from(label, 'ascii')
    if (text.length === 0 || text.length > LONGEST_LABEL) throw new Error(`${name} is not a name`)
    return [Buffer.from([text.length]), text]
  })
  return Buffer.concat([...parts, Buffer.from([0])])
}

/** The name at this place, in lowercase, and where the next thing begins. */
export const readName = (bytes: Buffer, at: number): { name: string; end: number } => {
  const labels: string[] = []
  let [place, end, pointers] = [at, 0, 0]
  for (;;) {
    const length = bytes.readUInt8(place)
    if (length >= POINTER) {
      end ||= place + 2
      place = bytes.readUInt16BE(place) & 0x3f_ff
      pointers += 1
      if (pointers > MAX_POINTERS) throw new DnsUnreachable('The name server returned a malformed response.')
      continue
    }
    place += 1
    if (length === 0) return { name: labels.join('.').toLowerCase(), end: end || place }
    labels.push(bytes.toString('latin1', place, place + length))
    place += length
  }
}

export const encodeRecord = (record: Pick<ResourceRecord, 'name' | 'type' | 'class' | 'ttl' | 'data'>): Buffer =>
  Buffer.concat([
    encodeName(record.name),
    number16(record.type),
    number16(record.class),
    number32(record.ttl),
    number16(record.data.length),
    record.data,
  ])

const readRecord = (bytes: Buffer, at: number): { record: ResourceRecord; end: number } => {
  const { name, end } = readName(bytes, at)
  const dataAt = end + 10
  const dataEnd = dataAt + bytes.readUInt16BE(end + 8)
  if (dataEnd > bytes.length) throw new DnsUnreachable('The name server returned a malformed response.')
  const record = {
    name,
    type: bytes.readUInt16BE(end),
    class: bytes.readUInt16BE(end + 2),
    ttl: bytes.readUInt32BE(end + 4),
    data: bytes.subarray(dataAt, dataEnd),
    startsAt: at,
    dataAt,
  }
  return { record, end: dataEnd }
}

/** What a name server sent. */
export const readMessage = (bytes: Buffer): Message => {
  try {
    return parse(bytes)
  } catch (error) {
    if (error instanceof DnsUnreachable) throw error
    throw new DnsUnreachable('The name server returned a malformed response.', { cause: error })
  }
}

const parse = (bytes: Buffer): Message => {
  const flags = bytes.readUInt16BE(2)
  let at = 12
  for (let left = bytes.readUInt16BE(4); left > 0; left -= 1) at = readName(bytes, at).end + 4
  const section = (count: number): ResourceRecord[] =>
    Array.from({ length: count }, () => {
      const { record, end } = readRecord(bytes, at)
      at = end
      return record
    })
  return {
    bytes,
    id: bytes.readUInt16BE(0),
    isAuthoritative: (flags & 0x04_00) !== 0,
    code: flags & 0x0f,
    answers: section(bytes.readUInt16BE(6)),
    authority: section(bytes.readUInt16BE(8)),
    additional: section(bytes.readUInt16BE(10)),
  }
}
