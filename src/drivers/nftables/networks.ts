import ipaddr from 'ipaddr.js'
import { KnownError } from '#platform/contract/known-error.ts'

/** A value that no table may hold. */
export class InvalidFirewallValue extends KnownError {
  readonly code = 'invalid_firewall_value'

  constructor(field: string, rule: string) {
    super(`${field} ${rule}`)
  }
}

/** An address is a network of one. */
export interface Network {
  readonly family: 4 | 6
  readonly first: bigint
  readonly prefix: number
  /** In the one spelling that the kernel also shows. */
  readonly text: string
}

const PLAIN = /^[0-9a-fA-F.:]+(?:\/(?:0|[1-9]\d{0,2}))?$/
const FOUR_PARTS = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/

export const parseNetwork = (field: string, value: string): Network => {
  const single = numberOf4(value)
  if (single !== undefined) return { family: 4, first: BigInt(single), prefix: 32, text: value }
  const [address = '', prefixText] = value.split('/')
  const start = PLAIN.test(value) ? (startOf4(address) ?? startOf6(address)) : undefined
  if (start === undefined) {
    throw new InvalidFirewallValue(
      field,
      `contains ${JSON.stringify(value.slice(0, 60))}, which is not an address or network`,
    )
  }
  const longest = longestOf(start.family)
  const prefix = prefixText === undefined ? longest : Number(prefixText)
  if (prefix > longest) throw new InvalidFirewallValue(field, `contains ${value}, whose prefix is too long`)
  if (prefix === 0) throw new InvalidFirewallValue(field, `contains ${value}, which matches every address`)
  // Such packets arrive as IPv4, so that the entry would look as if it did something.
  if (start.isMapped) throw new InvalidFirewallValue(field, `contains ${value}: use the IPv4 address`)
  const shift = BigInt(longest - prefix)
  return networkOf(start.family, (start.address >> shift) << shift, prefix)
}

interface Start {
  readonly family: 4 | 6
  readonly address: bigint
  readonly isMapped?: boolean
}

/** By hand, since lists of ten thousand addresses are read at once. */
const numberOf4 = (text: string): number | undefined => {
  const [, a, b, c, d] = FOUR_PARTS.exec(text) ?? []
  if (a === undefined || Number(a) > 255 || Number(b) > 255 || Number(c) > 255 || Number(d) > 255) return undefined
  return ((Number(a) * 256 + Number(b)) * 256 + Number(c)) * 256 + Number(d)
}

const startOf4 = (text: string): Start | undefined => {
  const address = numberOf4(text)
  return address === undefined ? undefined : { family: 4, address: BigInt(address) }
}

const startOf6 = (text: string): Start | undefined => {
  if (!ipaddr.IPv6.isValid(text)) return undefined
  const parsed = ipaddr.IPv6.parse(text)
  return { family: 6, address: numberOf(parsed.toByteArray()), isMapped: parsed.isIPv4MappedAddress() }
}

const longestOf = (family: 4 | 6): number => (family === 4 ? 32 : 128)

const networkOf = (family: 4 | 6, first: bigint, prefix: number): Network => {
  const start = family === 4 ? text4(Number(first)) : text6(first)
  return { family, first, prefix, text: prefix === longestOf(family) ? start : `${start}/${prefix}` }
}

const text4 = (address: number): string =>
  `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`

/** The last address of it. */
export const lastOf = ({ family, first, prefix }: Network): bigint =>
  first + (1n << BigInt(longestOf(family) - prefix)) - 1n

/** What is left of a network without these: halved until no part touches one of them. */
export const minus = (network: Network, others: readonly Network[]): Network[] => {
  const touching = others.filter(other => covers(network, other) || covers(other, network))
  if (touching.length === 0) return [network]
  if (touching.some(other => covers(other, network))) return []
  return halvesOf(network).flatMap(half => minus(half, touching))
}

const halvesOf = ({ family, first, prefix }: Network): Network[] => {
  const half = 1n << BigInt(longestOf(family) - prefix - 1)
  return [first, first + half].map(start => networkOf(family, start, prefix + 1))
}

/** A set refuses entries that overlap, so what lies within another entry is left out. */
export const withoutCovered = <Entry extends { readonly network: Network }>(entries: readonly Entry[]): Entry[] => {
  const kept: Entry[] = []
  for (const entry of entries.toSorted((a, b) => byPlace(a.network, b.network))) {
    const before = kept.at(-1)
    if (before === undefined || !covers(before.network, entry.network)) kept.push(entry)
  }
  return kept
}

const byPlace = (a: Network, b: Network): number => {
  if (a.family !== b.family) return a.family - b.family
  if (a.first !== b.first) return a.first < b.first ? -1 : 1
  return a.prefix - b.prefix
}

/** Whether all of `narrow` lies in `wide`. */
export const covers = (wide: Network, narrow: Network): boolean => {
  if (wide.family !== narrow.family || wide.prefix > narrow.prefix) return false
  const shift = BigInt(longestOf(wide.family) - wide.prefix)
  return wide.first >> shift === narrow.first >> shift
}

const numberOf = (bytes: readonly number[]): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)

const text6 = (address: bigint): string =>
  new ipaddr.IPv6([...Buffer.from(address.toString(16).padStart(32, '0'), 'hex')]).toString()
