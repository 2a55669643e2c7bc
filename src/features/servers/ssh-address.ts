import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { HostUnreachable } from '#platform/host/errors.ts'

/** Servers in private networks are common; this machine, its neighbours on the wire and metadata services are none. */
const NEVER = new Set(['loopback', 'unspecified', 'linkLocal', 'multicast', 'broadcast'])

export const isServerAddress = (address: string): boolean => !NEVER.has(ipaddr.process(address).range())

/** One look-up, then a connection to exactly what was checked: a second answer could point elsewhere. */
export const resolveServerAddress = async (host: string): Promise<string> => {
  const found = isIP(host) ? [{ address: host }] : await lookUp(host)
  const usable = found.find(({ address }) => isServerAddress(address))
  if (!usable) throw new HostUnreachable(host, "the name resolves to an address that can't be a server")
  return usable.address
}

const lookUp = (host: string) =>
  lookup(host, { all: true }).catch((error: unknown) => {
    throw new HostUnreachable(host, error)
  })
