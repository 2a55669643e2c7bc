import { getServer, listServers } from '#features/servers/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { listSendingDomains } from '../domains/sending-domains.ts'
import { readHostname } from '../relay/hostname.ts'
import { handOver } from './hand-over.ts'

interface TestMessage {
  readonly from: string
  readonly to: string
  readonly serverId?: number | undefined
  readonly subject?: string | undefined
}

/** Sends a message through a relay as if a program of the server had written it. */
export const sendTest = async (scope: Scope, { from, to, subject = 'Test message', serverId: wanted }: TestMessage) => {
  const serverId = await senderOf(scope, from, wanted)
  const { hostname } = await readHostname(scope, serverId)
  const text = `This is a test message from Fleetpress, sent by ${hostname}.`
  return { ...(await handOver(scope, serverId, { from: { name: '', address: from }, to, subject, text })), serverId }
}

const senderOf = async (scope: Scope, from: string, serverId: number | undefined): Promise<number> => {
  const domain = from.slice(from.indexOf('@') + 1).toLowerCase()
  const sending = (await listSendingDomains(scope.db)).find(each => each.domain === domain)
  const servers = await listServers(scope.db)
  const names = await Promise.all(servers.map(async ({ id }) => ({ id, ...(await readHostname(scope, id)) })))
  const named = names.find(({ hostname }) => hostname === domain)
  if (!sending && !named)
    throw new Problem(
      'conflict',
      `No site sends mail from ${domain}. Use the domain of a site, or the name of a relay.`,
    )
  const chosen = serverId ?? sending?.serverIds[0] ?? named?.id ?? servers.find(({ status }) => status === 'ready')?.id
  if (chosen === undefined) throw new Problem('conflict', 'No server is set up yet.')
  const { name, status } = await getServer(scope.db, chosen)
  if (status !== 'ready') throw new Problem('conflict', `${name} is not set up. Set it up first.`)
  return chosen
}
