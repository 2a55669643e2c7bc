import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { needsCertificate } from '#features/certificates/index.ts'
import { type DnsPlan, planRecords } from '#features/dns/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { suggestedAddresses } from './points-here.ts'

/** What has to change in DNS for these names to point to a server; nothing changes yet. */
export const planAddresses = async (
  scope: Scope,
  serverId: number,
  names: readonly string[],
  signal: AbortSignal,
): Promise<DnsPlan> => {
  const addresses = (await suggestedAddresses(scope, serverId)).map(address => ipaddr.process(address).toString())
  if (addresses.length === 0)
    throw new Problem('conflict', 'The public address of the server is not known. Set its public IP first.')
  const wanted = names
    .filter(needsCertificate)
    .flatMap(name =>
      addresses.map(value => ({ name, type: isIPv4(value) ? ('A' as const) : ('AAAA' as const), value })),
    )
  return planRecords(scope, wanted, signal)
}
