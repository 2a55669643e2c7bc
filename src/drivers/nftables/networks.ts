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

export const parseNetwork = (field: string, value: string): Network => {
  const [address = '', prefixText] = value.split('/')
  if (!PLAIN.test(value) || !(ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address))) {
    throw new InvalidFirewallValue(
      field,
      `contains ${JSON.stringify(value.slice(0, 60))}, which is not an address or network`,
    )
  }
  const parsed = ipaddr.parse(address)
  const longest = parsed.kind() === 'ipv4' ? 32 : 128
  const prefix = prefixText === undefined ? longest : Number(prefixText)
  if (prefix > longest) throw new InvalidFirewallValue(field, `contains ${value}, whose prefix is too long`)
  if (prefix === 0) throw new InvalidFirewallValue(field, `contains ${value}, which matches every address`)
  // Such packets arrive as IPv4, so that the entry would look as if it did something.
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress())
    throw new InvalidFirewallValue(field, `contains ${value}: use the IPv4 address`)
  const shift = BigInt(longest - prefix)
  const first = (numberOf(parsed.toByteArray()) >> shift) << shift
  return networkOf(longest === 32 ? 4 : 6, first, prefix)
}

const longestOf = (family: 4 | 6): number => (family === 4 ? 32 : 128)

const networkOf = (family: 4 | 6, first: bigint, prefix: number): Network => {
  const longest = longestOf(family)
  const start = ipaddr.fromByteArray(bytesOf(first, longest / 8)).toString()
  return { family, first, prefix, text: prefix === longest ? start : `${start}/${prefix}` }
}

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

const bytesOf = (value: bigint, length: number): number[] => [
  ...Buffer.from(value.toString(16).padStart(length * 2, '0'), 'hex'),
]
