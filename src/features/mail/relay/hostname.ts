import { getServer, type ServerRow } from '#features/servers/index.ts'
import type { Scope } from '#platform/scope.ts'
import { findMailServer } from '../server-store.ts'

export interface RelayName {
  readonly hostname: string
  readonly isDefault: boolean
}

export const hostnameOf = ({ dev_domain }: ServerRow, chosen: string | null): RelayName => ({
  hostname: chosen ?? `mail.${dev_domain}`,
  isDefault: chosen === null,
})

/** What the relay of a server calls itself. */
export const readHostname = async ({ db }: Pick<Scope, 'db'>, serverId: number): Promise<RelayName> =>
  hostnameOf(await getServer(db, serverId), (await findMailServer(db, serverId)).hostname)
