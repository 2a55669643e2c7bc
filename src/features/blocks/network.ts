import { InvalidFirewallValue, lastOf, type Network, parseNetwork } from '#drivers/nftables/networks.ts'
import { addressGroup } from '#platform/access/address.ts'
import { Problem } from '#platform/contract/problem.ts'

/** Wider ranges would block whole countries by a slip of a finger. */
const WIDEST = { 4: 8, 6: 19 } as const
const HEX_DIGITS = 32

/** What a caller asked for, in the one spelling that is kept; throws a validation error. */
export const readNetwork = (address: string, where: 'body' | 'query' = 'body'): Network => {
  try {
    const network = parseNetwork('address', address)
    if (network.prefix >= WIDEST[network.family]) return network
    throw wrong(`is too wide: the widest range is /${WIDEST[network.family]}`, where)
  } catch (error) {
    if (error instanceof InvalidFirewallValue) throw wrong(ruleOf(error.message), where)
    throw error
  }
}

const ruleOf = (message: string): string =>
  message.replace(/^address contains \S+/, 'is').replace(/^is[,:] ?/, 'is wrong: ')

const wrong = (rule: string, where: 'body' | 'query'): Problem =>
  new Problem('validation_error', `The address ${rule}.`, [{ in: where, path: 'address', message: rule }])

/** As a row keeps it: texts that sort like the addresses of a family. */
export const keysOf = (network: Network): { first_key: string; last_key: string } => ({
  first_key: keyOf(network, network.first),
  last_key: keyOf(network, lastOf(network)),
})

const keyOf = ({ family }: Network, address: bigint): string =>
  `${family}${address.toString(16).padStart(HEX_DIGITS, '0')}`

const MOST_KNOWN = 50_000
const known = new Map<string, Network | undefined>()

/** Undefined for what is no address or range. Whole lists are read again and again, so that the result is kept. */
export const networkOf = (address: string): Network | undefined => {
  if (known.has(address)) return known.get(address)
  if (known.size >= MOST_KNOWN) known.clear()
  const network = parsed(address)
  known.set(address, network)
  return network
}

const parsed = (address: string): Network | undefined => {
  try {
    return parseNetwork('address', address)
  } catch {
    return undefined
  }
}

/** What stands for a visitor: the address, or for IPv6 its /64. */
export const visitorOf = (address: string): Network | undefined => networkOf(addressGroup(address))
