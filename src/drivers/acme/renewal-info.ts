import { X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { type Exchange, parse } from './exchange.ts'
import { retryAfter } from './pause.ts'

/** When the authority would like a certificate to be renewed (RFC 9773). */
export interface RenewalInfo {
  startAt: number
  endAt: number
  /** The earliest time to ask again. */
  checkAt: number
}

const HOUR_MS = 3_600_000
const CHECK_AFTER_MS = 6 * HOUR_MS
const CHECK_BEFORE_MS = 24 * HOUR_MS

const AUTHORITY_KEY_ID = Buffer.from('0603551d23', 'hex')

const Time = z.iso.datetime({ offset: true }).transform(text => Date.parse(text))
const Suggested = z
  .object({ suggestedWindow: z.object({ start: Time, end: Time }) })
  .refine(({ suggestedWindow: { start, end } }) => start < end)

/** How the authority knows a certificate: who signed it and its number. Undefined when it does not say who signed it. */
export const certificateId = (chainPem: string): string | undefined => {
  const { raw, serialNumber } = new X509Certificate(chainPem)
  const keyId = authorityKeyId(raw)
  if (keyId === undefined) return undefined
  const digits = serialNumber.padStart(serialNumber.length + (serialNumber.length % 2), '0')
  // As DER writes numbers: a first bit of 1 would make it negative.
  const serial = Buffer.from(/^[89A-F]/.test(digits) ? `00${digits}` : digits, 'hex')
  return `${keyId.toString('base64url')}.${serial.toString('base64url')}`
}

/** An octet string around a sequence whose first member, tagged 0, is the key's id; all of them short. */
const authorityKeyId = (raw: Buffer): Buffer | undefined => {
  const at = raw.indexOf(AUTHORITY_KEY_ID)
  const [octets, , sequence, , tag, length = 0] = raw.subarray(at + AUTHORITY_KEY_ID.length)
  if (at === -1 || octets !== 0x04 || sequence !== 0x30 || tag !== 0x80) return undefined
  const start = at + AUTHORITY_KEY_ID.length + 6
  return raw.subarray(start, start + length)
}

/** Undefined when the authority has no opinion. */
export const readRenewalInfo = async (exchange: Exchange, chainPem: string): Promise<RenewalInfo | undefined> => {
  const { renewalInfo } = await exchange.readDirectory()
  const id = certificateId(chainPem)
  if (renewalInfo === undefined || id === undefined) return undefined
  const answer = await exchange.get(`${renewalInfo.replace(/\/$/, '')}/${id}`)
  const { start, end } = parse(answer, Suggested, 'is not renewal information').suggestedWindow
  const now = Date.now()
  const asked = retryAfter(answer.header('retry-after'), now) ?? now + CHECK_AFTER_MS
  return { startAt: start, endAt: end, checkAt: Math.min(Math.max(asked, now + HOUR_MS), now + CHECK_BEFORE_MS) }
}
