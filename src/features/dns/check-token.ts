import { needsCertificate } from '#features/certificates/index.ts'
import { listServers } from '#features/servers/index.ts'
import { DnsRefused } from '#platform/dns/errors.ts'
import { type DnsProvider, type Zone, zoneOf } from '#platform/dns/provider.ts'
import type { Scope } from '#platform/scope.ts'
import type { DnsCheck } from './contract.ts'
import type { KnownToken } from './token.ts'

const CHECK_MS = 15_000
const ZONES_SHOWN = 100
/** Each right is a request, so only zones that the panel needs are tried. */
const RIGHTS_CHECKED = 10
const NAMES_ASKED = 100

export const failedCheck = (error: string): DnsCheck => ({
  ok: false,
  error,
  zones: [],
  zoneCount: 0,
  devDomains: [],
})

/** What a token reaches and may do. Throws DnsUnreachable when the provider does not respond. */
export const checkToken = async (scope: Scope, { connect }: KnownToken): Promise<DnsCheck> => {
  const provider = connect(AbortSignal.timeout(CHECK_MS))
  const servers = await listServers(scope.db)
  const used = (await scope.events.raise(scope, 'namesInUse', {})).flat()
  const names = [...new Set([...servers.map(row => row.dev_domain), ...used])].filter(needsCertificate)
  try {
    const zones = await provider.listZones(names.slice(0, NAMES_ASKED))
    const refusals = await checkRights(provider, zones, names)
    const [refusal] = [...refusals.values()].filter(problem => problem !== null)
    const error = zones.length === 0 ? 'The token reaches no zone of these domains.' : (refusal ?? null)
    return {
      ok: error === null,
      error,
      zones: zones.slice(0, ZONES_SHOWN).map(({ name }) => ({ name, editable: editable(refusals.get(name)) })),
      zoneCount: zones.length,
      devDomains: servers.map(({ id, dev_domain }) => describe(id, dev_domain, zones, refusals)),
    }
  } catch (error) {
    if (error instanceof DnsRefused) return failedCheck(error.message)
    throw error
  }
}

const editable = (problem: string | null | undefined): boolean | null =>
  problem === undefined ? null : problem === null

/** By the name of the zone: null when its records may be changed, else why not. */
const checkRights = async (provider: DnsProvider, zones: readonly Zone[], names: readonly string[]) => {
  const needed = [...new Set(names.flatMap(name => zoneOf(zones, name) ?? []))]
  const rights = new Map<string, string | null>()
  for (const zone of (needed.length > 0 ? needed : zones).slice(0, RIGHTS_CHECKED))
    rights.set(zone.name, await problemOf(provider, zone))
  return rights
}

const problemOf = async (provider: DnsProvider, zone: Zone): Promise<string | null> => {
  try {
    await provider.checkRight(zone)
    return null
  } catch (error) {
    if (!(error instanceof DnsRefused)) throw error
    return `The token can't change the records of ${zone.name}. ${error.message}`
  }
}

const describe = (
  serverId: number,
  devDomain: string,
  zones: readonly Zone[],
  refusals: ReadonlyMap<string, string | null>,
): DnsCheck['devDomains'][number] => {
  const zone = zoneOf(zones, devDomain)?.name ?? null
  if (!needsCertificate(devDomain))
    return { serverId, devDomain, zone, covered: false, problem: `${devDomain} is in no public DNS.` }
  if (zone === null)
    return { serverId, devDomain, zone, covered: false, problem: `The token reaches no zone of ${devDomain}.` }
  const problem = refusals.get(zone) ?? null
  return { serverId, devDomain, zone, covered: problem === null, problem }
}
