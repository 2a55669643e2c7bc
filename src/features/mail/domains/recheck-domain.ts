import type { Scope } from '#platform/scope.ts'
import { activateKey, listKeysOf } from '../dkim/key-store.ts'
import { applyRelay } from '../relay/apply-relay.ts'
import { onServers } from '../relay/on-servers.ts'
import type { MailDomain } from './contract.ts'
import { keepCheck } from './domain-store.ts'
import { checkDomains, getSendingDomain } from './list-domains.ts'
import type { SendingDomain } from './sending-domains.ts'

/** Checks a domain now. A key that waited for its record signs from now on if DNS has it. */
export const recheckDomain = async (scope: Scope, domain: string): Promise<MailDomain> =>
  settleDomain(scope, await getSendingDomain(scope, domain))

export const settleDomain = async (scope: Scope, sending: SendingDomain): Promise<MailDomain> => {
  const [checked] = await checkDomains(scope, [sending])
  if (!checked) throw new Error('a domain was not checked')
  await keepCheck(scope.db, checked)
  const next = (await listKeysOf(scope.db, checked.domain)).find(({ state }) => state === 'next')
  if (next && checked.dkim.verdict === 'ok') {
    await activateKey(scope.db, next, scope.now())
    await onServers(scope, serverId => applyRelay(scope, serverId))
  }
  return checked
}
