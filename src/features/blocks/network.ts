import { InvalidFirewallValue, lastOf, type Network, parseNetwork } from '#drivers/nftables/networks.ts'
import { addressGroup } from '#platform/access/address.ts'
import { Problem } from '#platform/contract/problem.ts'

/** Wider ranges would block whole countries by a slip of a finger. */
const WIDEST = { 4: 8, 6: 19 } as const
const HEX_DIGITS = 32

/** What a caller asked for, in the one spelling that is kept; throws a validation error. */
export const readNetwork = (address: string): Network => {
  try {
    const network = parseNetwork('address', address)
    if (network.prefix >= WIDEST[network.family]) return network
    throw wrong(`is too wide: the widest range is /${WIDEST[network.family]}`)
  } catch (error) {
    if (error instanceof InvalidFirewallValue) throw wrong(ruleOf(error.message))
    throw error
  }
}

const ruleOf = (message: string): string =>
  message.replace(/^address contains \S+/, 'is').replace(/^is[,:] ?/, 'is wrong: ')

const wrong = (rule: string): Problem =>
  new Problem('validation_error', `The address ${rule}.`, [{ in: 'body', path: 'address', message: rule }])

/** As a row keeps it: texts that sort like the addresses of a family. */
export const keysOf = (network: Network): { first_key: string; last_key: string } => ({
  first_key: keyOf(network, network.first),
  last_key: keyOf(network, lastOf(network)),
})

const keyOf = ({ family }: Network, address: bigint): string =>
  `${family}${address.toString(16).padStart(HEX_DIGITS, '0')}`

/** Undefined for what is no address or range. */
export const networkOf = (address: string): Network | undefined => {
  try {
    return parseNetwork('address', address)
  } catch {
    return undefined
  }
}

/** What stands for a visitor: the address, or for IPv6 its /64. */
export const visitorOf = (address: string): Network | undefined => networkOf(addressGroup(address))
