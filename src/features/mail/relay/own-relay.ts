import { needsCertificate } from '#features/certificates/index.ts'
import type { MailRelay } from '#features/panel/index.ts'
import { findServer, OWN_SERVER } from '#features/servers/index.ts'
import { KnownError } from '#platform/contract/known-error.ts'
import type { Scope } from '#platform/scope.ts'
import { listSendingDomains } from '../domains/sending-domains.ts'
import { handOver } from '../messages/hand-over.ts'
import { relaySettings } from '../settings.ts'
import { readHostname } from './hostname.ts'

/**
 * The relay that takes the panel's own letters. Only that of the panel's server: letters hold links that let people in,
 * which no other server should see. No one accepts mail from a name that is in no public DNS, unless through a provider.
 */
export const ownRelay = async (scope: Scope): Promise<MailRelay | undefined> => {
  const server = await findServer(scope.db, OWN_SERVER)
  if (server?.status !== 'ready') return undefined
  const { hostname } = await readHostname(scope, OWN_SERVER)
  const { smarthost } = await scope.settings.read(relaySettings)
  return smarthost !== '' || needsCertificate(hostname) ? relayOf(scope, OWN_SERVER) : undefined
}

/** Sends letters of the panel through the relay of a server. */
export const relayOf = (scope: Scope, serverId: number): MailRelay => ({
  send: async letter => {
    try {
      const address = await senderAt(scope, serverId, letter.from.address)
      const { accepted, detail } = await handOver(scope, serverId, { ...letter, from: { ...letter.from, address } })
      return { accepted, detail }
    } catch (error) {
      if (!(error instanceof KnownError)) throw error
      return { accepted: false, detail: `The email was not sent. ${error.message}` }
    }
  },
})

/** An address that the servers may send from; which ones a provider accepts, only it knows. */
const senderAt = async (scope: Scope, serverId: number, wanted: string): Promise<string> => {
  const { hostname } = await readHostname(scope, serverId)
  const { smarthost } = await scope.settings.read(relaySettings)
  const domain = wanted.slice(wanted.indexOf('@') + 1).toLowerCase()
  const names = [hostname, ...(await listSendingDomains(scope.db)).map(sending => sending.domain)]
  return wanted !== '' && (smarthost !== '' || names.includes(domain)) ? wanted : `fleetpress@${hostname}`
}
