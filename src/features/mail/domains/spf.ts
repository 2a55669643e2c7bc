import { BlockList, isIPv4, isIPv6 } from 'node:net'
import type { Dns } from './ask-dns.ts'

/** Receivers stop after this many look-ups, and the record counts as broken. */
export const MOST_LOOKUPS = 10

export interface SpfResult {
  /** Addresses that the record does not allow. */
  readonly missing: readonly string[]
  readonly lookups: number
}

interface Walk {
  readonly dns: Dns
  readonly left: Set<string>
  lookups: number
}

/** Follows a record as a receiver does. */
export const evaluateSpf = async (dns: Dns, domain: string, record: string, addresses: readonly string[]) => {
  const walk: Walk = { dns, left: new Set(addresses), lookups: 0 }
  await follow(walk, domain, record)
  return { missing: [...walk.left], lookups: walk.lookups } satisfies SpfResult
}

export const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text)

/** The record with the addresses put in front, which every receiver reads first. */
export const mergeSpf = (record: string | undefined, addresses: readonly string[]): string => {
  const added = addresses.map(address => `${isIPv6(address) ? 'ip6' : 'ip4'}:${address}`)
  return record === undefined
    ? ['v=spf1', ...added, '~all'].join(' ')
    : ['v=spf1', ...added, ...record.trim().split(/\s+/).slice(1)].join(' ')
}

const follow = async (walk: Walk, domain: string, record: string): Promise<void> => {
  const terms = record.trim().split(/\s+/).slice(1)
  for (const term of terms) {
    const [, sign = '', name = '', value = ''] = /^([+?~-]?)([a-z0-9]+)(?:[:=](.*?))?(?:\/\d.*)?$/i.exec(term) ?? []
    if (sign !== '' && sign !== '+') continue
    await allow(walk, { domain, name: name.toLowerCase(), value: value.toLowerCase(), term })
  }
}

interface Term {
  readonly domain: string
  readonly name: string
  readonly value: string
  readonly term: string
}

const allow = async (walk: Walk, { domain, name, value, term }: Term): Promise<void> => {
  if (name === 'ip4' || name === 'ip6') return remove(walk, term.slice(term.indexOf(':') + 1))
  if (!['a', 'mx', 'include', 'redirect', 'exists', 'ptr'].includes(name)) return
  walk.lookups += 1
  if (walk.lookups > MOST_LOOKUPS) return
  const target = value || domain
  if (name === 'a') for (const address of await walk.dns.addresses(target)) remove(walk, address)
  if (name === 'mx')
    for (const exchange of (await walk.dns.exchanges(target)).slice(0, MOST_LOOKUPS))
      for (const address of await walk.dns.addresses(exchange)) remove(walk, address)
  if (name === 'include' || name === 'redirect') {
    const record = (await walk.dns.texts(target)).find(isSpf)
    if (record !== undefined) await follow(walk, target, record)
  }
}

/** What lies in a network that is allowed. */
const remove = ({ left }: Walk, network: string): void => {
  const [start = '', bits] = network.split('/')
  const family = isIPv4(start) ? 'ipv4' : isIPv6(start) ? 'ipv6' : undefined
  const size = family === 'ipv4' ? 32 : 128
  const prefix = bits === undefined ? size : Number(bits)
  if (family === undefined || !Number.isInteger(prefix) || prefix < 0 || prefix > size) return
  const allowed = new BlockList()
  allowed.addSubnet(start, prefix, family)
  for (const address of left) if (allowed.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) left.delete(address)
}
