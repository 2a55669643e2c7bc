import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import type { DnsRecord, RecordType } from '#platform/dns/provider.ts'
import { CLASSES, encodeName, encodeRecord, type Message, type ResourceRecord, readName, TYPES } from './wire.ts'

const LONGEST_TEXT = 255
const NO_DATA = Buffer.alloc(0)

const dataOf = ({ type, value }: Pick<DnsRecord, 'type' | 'value'>): Buffer => {
  if (type === 'A' || type === 'AAAA') return Buffer.from(ipaddr.parse(value).toByteArray())
  if (type === 'CNAME') return encodeName(value)
  const text = Buffer.from(value)
  const parts = Array.from({ length: Math.max(1, Math.ceil(text.length / LONGEST_TEXT)) }, (_, index) =>
    text.subarray(index * LONGEST_TEXT, (index + 1) * LONGEST_TEXT),
  )
  return Buffer.concat(parts.flatMap(part => [Buffer.from([part.length]), part]))
}

const textOf = (data: Buffer): string => {
  const parts: Buffer[] = []
  for (let at = 0; at < data.length; at += 1 + data.readUInt8(at)) {
    parts.push(data.subarray(at + 1, at + 1 + data.readUInt8(at)))
  }
  return Buffer.concat(parts).toString()
}

export const valueOf = ({ bytes }: Message, type: RecordType, { data, dataAt }: ResourceRecord): string => {
  if (type === 'CNAME') return readName(bytes, dataAt).name
  if (type === 'TXT') return textOf(data)
  return ipaddr.fromByteArray([...data]).toString()
}

/** An update that adds this value to the name. */
export const addition = (record: DnsRecord): Buffer =>
  encodeRecord({
    name: record.name,
    type: TYPES[record.type],
    class: CLASSES.IN,
    ttl: record.ttlSeconds,
    data: dataOf(record),
  })

/** An update that takes this value, and no other, from the name. Nothing happens when it isn't there. */
export const removal = (record: Pick<DnsRecord, 'name' | 'type' | 'value'>): Buffer =>
  encodeRecord({ name: record.name, type: TYPES[record.type], class: CLASSES.NONE, ttl: 0, data: dataOf(record) })

/** An update that changes nothing: it removes every text of a name that no one has. */
export const nothing = (zone: string): Buffer =>
  encodeRecord({
    name: `_fleetpress-check.${zone}`,
    type: TYPES.TXT,
    class: CLASSES.ANY,
    ttl: 0,
    data: NO_DATA,
  })

/** A prerequisite: nothing is kept at exactly this name, whatever a wildcard answers for it. */
export const isUnused = (name: string): Buffer =>
  encodeRecord({ name, type: TYPES.ANY, class: CLASSES.NONE, ttl: 0, data: NO_DATA })

const MARKER_TTL_SECONDS = 60

/** Records have no comments here, so a text next to each says that it is the panel's. */
export const markerOf = ({ name, type, value }: Pick<DnsRecord, 'name' | 'type' | 'value'>): DnsRecord => ({
  name: markerName(name),
  type: 'TXT',
  value: `managed-by=fleetpress type=${type} value=${createHash('sha256').update(value).digest('hex').slice(0, 32)}`,
  ttlSeconds: MARKER_TTL_SECONDS,
})

export const markerName = (name: string): string => `_fleetpress.${name.replace(/^\*\./, '_wildcard.')}`
