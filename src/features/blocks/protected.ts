import { networkInterfaces } from 'node:os'
import { covers, type Network } from '#drivers/nftables/networks.ts'
import { type AdminAddress, listAdminAddresses } from '#features/admins/index.ts'
import { edgeSettings } from '#features/edge/index.ts'
import { listServers, type ServerRow } from '#features/servers/index.ts'
import { SITE_POOL } from '#features/stack/index.ts'
import type { Scope } from '#platform/scope.ts'
import type { ProtectedBy } from './contract.ts'
import { networkOf, visitorOf } from './network.ts'
import { listNeverBlock } from './never-block-store.ts'

/** An address or range that is never blocked, and why. */
export interface Protected extends ProtectedBy {
  readonly network: Network
}

type Work = Pick<Scope, 'db' | 'settings' | 'now'>

const ADMINS_FOR_MS = 30 * 86_400_000

/** The addresses admins used in the last 30 days, of each person and address the newest use. */
export const recentAdmins = async ({ db, now }: Pick<Scope, 'db' | 'now'>): Promise<AdminAddress[]> => {
  const newestFirst = (await listAdminAddresses(db, now() - ADMINS_FOR_MS)).toSorted(
    (a, b) => b.lastUsedAt - a.lastUsedAt,
  )
  const found = new Map<string, AdminAddress>()
  for (const use of newestFirst) {
    const address = visitorOf(use.address)?.text
    const key = `${address} ${use.name}`
    if (address !== undefined && !found.has(key)) found.set(key, { ...use, address })
  }
  return [...found.values()]
}

/** Everything that is never blocked; what people have put on the list comes first. */
export const listProtected = async (scope: Work): Promise<Protected[]> => {
  const [never, servers, admins, { trustedProxies }] = await Promise.all([
    listNeverBlock(scope.db),
    listServers(scope.db),
    recentAdmins(scope),
    scope.settings.read(edgeSettings),
  ])
  return [
    ...never.map(({ id, address, note }) =>
      entry('never-block', address, `is on the never-block list${note === '' ? '' : ` (${note})`}`, id),
    ),
    ...ownAddresses().map(address => entry('servers', address, 'is an address of this panel')),
    ...servers.flatMap(addressesOf),
    ...admins.map(({ address, name }) => entry('admins', address, `was used by ${name} in the last 30 days`)),
    ...trustedProxies.map(address => entry('proxies', address, 'is a trusted proxy')),
  ].flat()
}

/** What protects some of a range; the first one decides. */
export const findProtection = (all: readonly Protected[], network: Network): Protected | undefined =>
  all.find(({ network: own }) => covers(own, network) || covers(network, own))

const entry = (list: ProtectedBy['list'], address: string, reason: string, id: string | null = null): Protected[] => {
  const network = networkOf(address)
  return network ? [{ list, id, address: network.text, reason, network }] : []
}

const ownAddresses = (): string[] =>
  [
    '127.0.0.0/8',
    '::1',
    SITE_POOL,
    ...Object.values(networkInterfaces()).flatMap(each => (each ?? []).map(({ address }) => address)),
  ].filter(address => !address.startsWith('fe80:'))

/** A name is left out: anyone who controls its DNS could protect others. */
const addressesOf = ({ name, public_ip, ssh_host }: ServerRow): Protected[] =>
  [public_ip, ssh_host].flatMap(address =>
    address === null ? [] : entry('servers', address, `is an address of the server ${name}`),
  )
