import { createHmac, timingSafeEqual } from 'node:crypto'
import { DnsRefused, DnsUnreachable } from '#platform/dns/errors.ts'
import { ALGORITHMS, type NameServer } from './token.ts'
import { CLASSES, encodeName, encodeRecord, type Message, number16, number32, readName, TYPES } from './wire.ts'

const FUDGE_SECONDS = 300

type Key = Pick<NameServer, 'keyName' | 'algorithm' | 'key'>

/** 48 bits: when a message was signed. */
const time48 = (seconds: number): Buffer =>
  Buffer.concat([number16(Math.floor(seconds / 2 ** 32)), number32(seconds % 2 ** 32)])

const macOf = ({ algorithm, key }: Key, parts: readonly Buffer[]): Buffer =>
  createHmac(ALGORITHMS[algorithm], Buffer.from(key.reveal(), 'base64')).update(Buffer.concat(parts)).digest()

interface Signed {
  readonly time: Buffer
  readonly error: number
  readonly other: Buffer
}

const variables = ({ keyName, algorithm }: Key, { time, error, other }: Signed): Buffer[] => [
  encodeName(keyName),
  number16(CLASSES.ANY),
  number32(0),
  encodeName(algorithm),
  time,
  number16(FUDGE_SECONDS),
  number16(error),
  number16(other.length),
  other,
]

/** The message with its signature (RFC 8945), and the signature, which the response is signed with, too. */
export const sign = (message: Buffer, key: Key, now: number): { signed: Buffer; mac: Buffer } => {
  const time = time48(Math.floor(now / 1000))
  const mac = macOf(key, [message, ...variables(key, { time, error: 0, other: Buffer.alloc(0) })])
  const data = Buffer.concat([
    encodeName(key.algorithm),
    time,
    number16(FUDGE_SECONDS),
    number16(mac.length),
    mac,
    message.subarray(0, 2),
    number16(0),
    number16(0),
  ])
  const record = encodeRecord({ name: key.keyName, type: TYPES.TSIG, class: CLASSES.ANY, ttl: 0, data })
  const signed = Buffer.concat([message, record])
  signed.writeUInt16BE(signed.readUInt16BE(10) + 1, 10)
  return { signed, mac }
}

const ERRORS: Record<number, string> = {
  16: 'it computes another signature, so the key is wrong',
  17: 'it knows no such key, or the key may not do this',
  18: 'its clock and that of the panel differ by more than 5 minutes',
}

export const isSigned = ({ additional }: Message): boolean => additional.at(-1)?.type === TYPES.TSIG

/** Throws unless the response was signed with the same key. */
export const verify = (response: Message, key: Key, requestMac: Buffer): void => {
  const tsig = response.additional.at(-1)
  if (tsig?.type !== TYPES.TSIG) throw new DnsUnreachable('The name server did not sign its response.')
  const { end } = readName(response.bytes, tsig.dataAt)
  const macSize = response.bytes.readUInt16BE(end + 8)
  const mac = response.bytes.subarray(end + 10, end + 10 + macSize)
  const rest = end + 10 + macSize
  const error = response.bytes.readUInt16BE(rest + 2)
  if (error !== 0) throw new DnsRefused(`The name server refused the key: ${ERRORS[error] ?? `error ${error}`}.`)
  const other = response.bytes.subarray(rest + 6, rest + 6 + response.bytes.readUInt16BE(rest + 4))
  const unsigned = Buffer.from(response.bytes.subarray(0, tsig.startsAt))
  unsigned.writeUInt16BE(unsigned.readUInt16BE(10) - 1, 10)
  response.bytes.copy(unsigned, 0, rest, rest + 2)
  const time = response.bytes.subarray(end, end + 6)
  const expected = macOf(key, [
    number16(requestMac.length),
    requestMac,
    unsigned,
    ...variables(key, { time, error, other }),
  ])
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected))
    throw new DnsUnreachable('The signature of the name server is wrong.')
}
