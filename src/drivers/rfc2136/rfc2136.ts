import { DnsRefused } from '#platform/dns/errors.ts'
import type { DnsProvider, DnsRecord, FoundRecord, RecordChanges, RecordType, Zone } from '#platform/dns/provider.ts'
import { RECORD_TYPES } from '#platform/dns/provider.ts'
import { type ExchangeOptions, exchange, QUERY, type Sections, UPDATE } from './exchange.ts'
import { addition, isUnused, markerName, markerOf, nothing, removal, valueOf } from './records.ts'
import type { NameServer } from './token.ts'
import { CLASSES, encodeName, type Message, number16, TYPES } from './wire.ts'

const NO_ERROR = 0
const NO_SUCH_NAME = 3
const NAME_EXISTS = 6

const REASONS: Record<number, string> = {
  1: 'it did not understand the message',
  4: 'it takes no updates',
  5: 'the key may not do this',
  9: 'it does not answer for this zone, or does not know the key',
}

/** A name server of one's own: dynamic updates (RFC 2136), signed (RFC 8945). */
export const rfc2136 = (server: NameServer, options: ExchangeOptions): DnsProvider => {
  const { ask, update, isInUse, read } = talkTo(server, options)
  return {
    listZones: async names => {
      const found = new Set<string>()
      for (const name of names) {
        const zone = await findZone(ask, name)
        if (zone !== undefined) found.add(zone)
      }
      return [...found].toSorted().map(name => ({ id: name, name }))
    },
    checkRight: zone => update(zone, [nothing(zone.name)]),
    listRecords: async (zone, name) => {
      if (!(await isInUse(zone, name))) return []
      const markers = new Set((await read(markerName(name), 'TXT')).map(({ value }) => value))
      const found: FoundRecord[] = []
      for (const type of RECORD_TYPES)
        for (const record of await read(name, type))
          found.push({ ...record, isOurs: markers.has(markerOf(record).value) })
      return found
    },
    change: async (zone, changes) => {
      const readKept: Read = async (name, type) => ((await isInUse(zone, name)) ? read(name, type) : [])
      const updates = updatesFor(await ours(readKept, changes))
      if (updates.length > 0) await update(zone, updates)
    },
  }
}

/** The few things that a name server is asked. */
const talkTo = (server: NameServer, options: ExchangeOptions) => {
  const ask = (name: string, type: number): Promise<Message> =>
    exchange(server, { opcode: QUERY, question: question(name, type) }, options)
  const send = (zone: Zone, sections: Pick<Sections, 'prerequisites' | 'updates'>): Promise<Message> =>
    exchange(server, { opcode: UPDATE, question: question(zone.name, TYPES.SOA), ...sections }, options)
  return {
    ask,
    update: async (zone: Zone, updates: readonly Buffer[]): Promise<void> => {
      const { code } = await send(zone, { updates })
      if (code !== NO_ERROR) throw refused(zone.name, code)
    },
    /** Whether anything is kept at exactly this name. */
    isInUse: async (zone: Zone, name: string): Promise<boolean> => {
      const { code } = await send(zone, { prerequisites: [isUnused(name)] })
      if (code !== NO_ERROR && code !== NAME_EXISTS) throw refused(zone.name, code)
      return code === NAME_EXISTS
    },
    read: async (name: string, type: RecordType): Promise<DnsRecord[]> => {
      const message = await ask(name, TYPES[type])
      if (message.code !== NO_ERROR && message.code !== NO_SUCH_NAME) throw refused(name, message.code)
      return message.answers
        .filter(record => record.type === TYPES[type] && record.name === name)
        .map(record => ({ name, type, value: valueOf(message, type, record), ttlSeconds: record.ttl }))
    },
  }
}

const question = (name: string, type: number): Buffer =>
  Buffer.concat([encodeName(name), number16(type), number16(CLASSES.IN)])

const refused = (name: string, code: number): DnsRefused =>
  new DnsRefused(`The name server refused ${name}: ${REASONS[code] ?? `response code ${code}`}.`)

/** An alias hides the zone that it is in, so its parents are asked, too. */
const findZone = async (ask: (name: string, type: number) => Promise<Message>, name: string) => {
  for (let asked = name; asked.includes('.'); asked = asked.slice(asked.indexOf('.') + 1)) {
    const zone = zoneIn(await ask(asked, TYPES.SOA), asked)
    if (zone !== undefined) return zone
  }
  return undefined
}

/** A server that answers for the name says where its zone begins, in the answer or next to it. */
const zoneIn = ({ isAuthoritative, code, answers, authority }: Message, name: string): string | undefined => {
  if (!isAuthoritative || (code !== NO_ERROR && code !== NO_SUCH_NAME)) return undefined
  const soa = [...answers, ...authority].find(({ type }) => type === TYPES.SOA)
  return soa && (soa.name === name || name.endsWith(`.${soa.name}`)) ? soa.name : undefined
}

type Read = (name: string, type: RecordType) => Promise<DnsRecord[]>

/** Without what is removed but has no marker, and what is there already without one: those belong to someone else. */
const ours = async (read: Read, { add, remove, replace = [] }: RecordChanges): Promise<RecordChanges> => {
  const isMarked = async (record: DnsRecord) =>
    (await read(markerName(record.name), 'TXT')).some(({ value }) => value === markerOf(record).value)
  const isThere = async ({ name, type, value }: DnsRecord) =>
    (await read(name, type)).some(record => record.value === value)
  const [added, removed]: [DnsRecord[], DnsRecord[]] = [[], []]
  for (const record of add) if ((await isMarked(record)) || !(await isThere(record))) added.push(record)
  for (const record of remove) if (await isMarked(record)) removed.push(record)
  return { add: added, remove: removed, replace }
}

/** In one message, so that everyone sees all of it or nothing. */
const updatesFor = ({ add, remove, replace = [] }: RecordChanges): Buffer[] => [
  ...add.flatMap(record => [addition(record), addition(markerOf(record))]),
  ...remove.flatMap(record => [removal(record), removal(markerOf(record))]),
  ...replace.map(removal),
]
