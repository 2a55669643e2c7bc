import { needsCertificate } from '#features/certificates/index.ts'
import { findServer, getServer } from '#features/servers/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Db } from '#platform/db/database.ts'
import { DnsRefused } from '#platform/dns/errors.ts'
import { zoneOf } from '#platform/dns/provider.ts'
import type { Scope } from '#platform/scope.ts'
import { listWildcards } from './dns-store.ts'
import { openProvider } from './token.ts'

const REACH_MS = 15_000

export const wildcardOf = (devDomain: string): string => `*.${devDomain}`

/** The name of the certificate that the dev sites of a server share; undefined when each has its own. */
export const findWildcard = async (db: Db, serverId: number): Promise<string | undefined> => {
  const isOn = (await listWildcards(db)).some(row => row.server_id === serverId)
  const server = isOn ? await findServer(db, serverId) : undefined
  return server && wildcardOf(server.dev_domain)
}

/** Refuses unless the token can change the records that prove the dev domain of the server. */
export const requireReach = async (scope: Scope, serverId: number): Promise<void> => {
  const { dev_domain: devDomain } = await getServer(scope.db, serverId)
  if (!needsCertificate(devDomain))
    throw new Problem('conflict', `${devDomain} is in no public DNS, so it needs no certificate.`)
  const provider = await openProvider(scope, AbortSignal.timeout(REACH_MS))
  try {
    const zone = zoneOf(await provider.listZones([devDomain]), devDomain)
    if (!zone)
      throw new Problem('conflict', `The DNS token reaches no zone of ${devDomain}. Add the zone to the token first.`)
    await provider.checkRight(zone)
  } catch (error) {
    if (!(error instanceof DnsRefused)) throw error
    const message = `The DNS token can't change the records of ${devDomain}. ${error.message}`
    throw new Problem('conflict', message, null, { cause: error })
  }
}
