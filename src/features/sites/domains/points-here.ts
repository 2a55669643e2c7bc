import { createSocket } from 'node:dgram'
import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { needsCertificate } from '#features/certificates/index.ts'
import { getServer, OWN_SERVER } from '#features/servers/index.ts'
import type { Scope } from '#platform/scope.ts'
import type { DnsAnswer } from './contract.ts'
import { lookUpNames } from './look-up.ts'

/** Where visitors find a server: what its owner says, else where the panel finds it itself. */
export const serverAddresses = async (
  { db, installation }: Pick<Scope, 'db' | 'installation'>,
  id: number,
): Promise<string[]> => {
  const { public_ip: publicIp, ssh_host: sshHost } = await getServer(db, id)
  if (publicIp !== null) return [publicIp]
  if (sshHost === null) return ownAddresses()
  if (isIP(sshHost)) return [sshHost]
  const found = (await lookUpNames(installation.dnsServers, [sshHost])).get(sshHost)
  return [...(found?.a ?? []), ...(found?.aaaa ?? [])]
}

/** What people are told to point their records to: what the owner says, else only what the whole internet can reach. */
export const suggestedAddresses = async (scope: Pick<Scope, 'db' | 'installation'>, id: number): Promise<string[]> => {
  const { public_ip: publicIp } = await getServer(scope.db, id)
  if (publicIp !== null) return [publicIp]
  return (await serverAddresses(scope, id)).filter(address => ipaddr.process(address).range() === 'unicast')
}

/** Addresses for documentation: a route points there, but nothing is ever sent. */
const ELSEWHERE = { udp4: '192.0.2.1', udp6: '2001:db8::1' } as const

/** Those of the networks of containers are of no use to visitors, so the way out of this machine tells. */
const ownAddresses = async (): Promise<string[]> =>
  (await Promise.all((['udp4', 'udp6'] as const).map(sourceAddress))).flat()

const sourceAddress = (kind: keyof typeof ELSEWHERE): Promise<string[]> =>
  new Promise(resolve => {
    const socket = createSocket(kind)
    const end = (found: string[]) => {
      socket.close()
      resolve(found)
    }
    socket.once('error', () => end([]))
    socket.once('connect', () => end([socket.address().address]))
    socket.connect(53, ELSEWHERE[kind])
  })

/** Whether visitors of a name end up at a server. Only kinds of address that the server is known to have are compared. */
export const pointsTo = (
  name: string,
  { a, aaaa }: DnsAnswer,
  server: { readonly id: number; readonly addresses: readonly string[] },
): boolean => {
  if (!needsCertificate(name)) return server.id === OWN_SERVER
  const own = server.addresses.map(spelled)
  const kinds = new Set(own.map(isIPv4))
  const compared = [...a, ...aaaa].map(spelled).filter(address => kinds.has(isIPv4(address)))
  return compared.length > 0 && compared.every(address => own.includes(address))
}

/** An IPv6 address can be written in many ways. */
const spelled = (address: string): string => ipaddr.process(address).toString()
