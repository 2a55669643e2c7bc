import { z } from 'zod'
import { DnsUnreachable } from '#platform/dns/errors.ts'
import { type DnsProvider, type DnsRecord, type FoundRecord, RECORD_TYPES, type Zone } from '#platform/dns/provider.ts'
import { ask, type CloudflareOptions, CloudflareRefused, type Envelope } from './exchange.ts'
import { quoted, unquoted } from './text.ts'

/** In the comment of every record that is the panel's. */
const MARKER = 'Managed by Fleetpress'
const ZONES_A_PAGE = 50
const MAX_PAGES = 100
const RECORDS_A_PAGE = 100
const IDENTICAL_EXISTS = new Set([81_057, 81_058])
const NO_SUCH_RECORD = new Set([81_044, 1032])
/** No record has it. */
const NO_RECORD = '0'.repeat(32)

const FoundZone = z.object({ id: z.string().regex(/^[0-9a-zA-Z_-]{1,64}$/), name: z.string().max(253) })
const CloudflareRecord = z.object({
  id: z.string().regex(/^[0-9a-zA-Z_-]{1,64}$/),
  name: z.string(),
  type: z.string(),
  content: z.string().default(''),
  ttl: z.number(),
  comment: z.string().nullish(),
})

interface Kept {
  id: string
  record: FoundRecord
}

export const cloudflare = (options: CloudflareOptions): DnsProvider => {
  const list = (zone: Zone, name: string) => listRecords(options, zone, name)
  return {
    listZones: () => listZones(options),
    checkRight: async zone => {
      const path = `/zones/${zone.id}/dns_records/${NO_RECORD}`
      await tolerating(NO_SUCH_RECORD, ask(options, path, { method: 'DELETE' }))
    },
    listRecords: async (zone, name) => (await list(zone, name)).map(({ record }) => record),
    change: async (zone, { add, remove, replace = [] }) => {
      for (const record of add) {
        const isThere = (await list(zone, record.name)).some(other => isSame(other.record, record))
        if (!isThere) await create(options, zone, record)
      }
      for (const record of [...remove, ...replace]) {
        const found = (await list(zone, record.name)).filter(
          other => (other.record.isOurs || replace.includes(record)) && isSame(other.record, record),
        )
        for (const { id } of found) await erase(options, zone, id)
      }
    },
  }
}

const isSame = (one: DnsRecord, other: DnsRecord): boolean => one.type === other.type && one.value === other.value

const listZones = async (options: CloudflareOptions): Promise<Zone[]> => {
  const zones: Zone[] = []
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const envelope = await ask(options, `/zones?per_page=${ZONES_A_PAGE}&page=${page}`)
    zones.push(...resultOf(envelope, z.array(FoundZone)))
    if (page >= (envelope.result_info?.total_pages ?? 1)) break
  }
  return zones.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

const listRecords = async (options: CloudflareOptions, zone: Zone, name: string): Promise<Kept[]> => {
  const query = new URLSearchParams({ 'name.exact': name, per_page: String(RECORDS_A_PAGE) })
  const found = resultOf(
    await ask(options, `/zones/${zone.id}/dns_records?${query.toString()}`),
    z.array(CloudflareRecord),
  )
  return found.flatMap(record => {
    const type = RECORD_TYPES.find(known => known === record.type)
    if (type === undefined || record.name.toLowerCase() !== name) return []
    const value = type === 'TXT' ? unquoted(record.content) : record.content.toLowerCase().replace(/\.$/, '')
    const isOurs = record.comment?.startsWith(MARKER) ?? false
    return [{ id: record.id, record: { name, type, value, ttlSeconds: record.ttl, isOurs } }]
  })
}

const create = async (options: CloudflareOptions, zone: Zone, { name, type, value, ttlSeconds }: DnsRecord) => {
  const content = type === 'TXT' ? quoted(value) : value
  const isAddress = type === 'A' || type === 'AAAA'
  const body = { name, type, content, ttl: ttlSeconds, comment: MARKER, ...(isAddress && { proxied: false }) }
  const path = `/zones/${zone.id}/dns_records`
  await tolerating(IDENTICAL_EXISTS, ask(options, path, { method: 'POST', body }))
}

const erase = (options: CloudflareOptions, zone: Zone, id: string): Promise<void> =>
  tolerating(NO_SUCH_RECORD, ask(options, `/zones/${zone.id}/dns_records/${id}`, { method: 'DELETE' }))

/** What was asked for is already so. */
const tolerating = async (numbers: ReadonlySet<number>, asked: Promise<unknown>): Promise<void> => {
  try {
    await asked
  } catch (error) {
    if (!(error instanceof CloudflareRefused && error.numbers.some(number => numbers.has(number)))) throw error
  }
}

const resultOf = <S extends z.ZodType>({ result }: Envelope, schema: S): z.output<S> => {
  const parsed = schema.safeParse(result)
  if (!parsed.success) throw new DnsUnreachable('Cloudflare returned a response that makes no sense.')
  return parsed.data
}
