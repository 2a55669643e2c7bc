import { getServer } from '#features/servers/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { putInDns, requirePublisher } from '../domains/publish-domain.ts'
import { changeMailServer, findMailServer } from '../server-store.ts'
import { applyRelay } from './apply-relay.ts'
import { readHostname } from './hostname.ts'

/** In effect when this returns; when the server can't be changed, nothing is. Null is the default. */
export const changeHostname = async (scope: Scope, serverId: number, hostname: string | null) => {
  const server = await getServer(scope.db, serverId)
  const { hostname: before } = await findMailServer(scope.db, serverId)
  // What the address resolves to is compared with the new name next.
  await changeMailServer(scope.db, serverId, { hostname, reverse_dns: null, reverse_checked_at: null })
  try {
    // A server that is not set up yet gets it with everything else.
    if (server.status === 'ready') await applyRelay(scope, serverId)
  } catch (error) {
    await changeMailServer(scope.db, serverId, { hostname: before })
    throw error
  }
  return { serverId, ...(await readHostname(scope, serverId)) }
}

/** The A record of the relay's name points to its server. */
export const publishHostname = async (scope: Scope, serverId: number) => {
  const { public_ip: address } = await getServer(scope.db, serverId)
  const { hostname } = await readHostname(scope, serverId)
  if (address === null)
    throw new Problem('conflict', 'The public address of this server is not known. Set it on the page of the server.')
  await requirePublisher(scope)
  const record = { name: hostname, type: 'A' as const, content: address }
  await putInDns(scope, [{ ...record, replaces: null }])
  return { published: [record] }
}
