import type { Scope } from '#platform/scope.ts'
import { deleteRetiredKeys, listKeys } from './dkim/key-store.ts'
import { KEEP_RETIRED_MS } from './dkim/show-key.ts'
import { deleteChecksBut } from './domains/domain-store.ts'
import { settleDomain } from './domains/recheck-domain.ts'
import { listSendingDomains } from './domains/sending-domains.ts'
import { deleteMessagesBefore } from './messages/message-store.ts'
import { relaySettings } from './settings.ts'

const DAY_MS = 86_400_000

/** Deletes what is old, and checks the domains that sign. */
export const tidyMail = async (scope: Scope): Promise<string> => {
  const { keepMessagesForDays } = await scope.settings.read(relaySettings)
  const messages = await deleteMessagesBefore(scope.db, scope.now() - keepMessagesForDays * DAY_MS)
  const keys = await deleteRetiredKeys(scope.db, scope.now() - KEEP_RETIRED_MS)
  const domains = await listSendingDomains(scope.db)
  const signed = new Set((await listKeys(scope.db)).map(({ domain }) => domain))
  for (const domain of domains) if (signed.has(domain.domain)) await settleDomain(scope, domain)
  await deleteChecksBut(
    scope.db,
    domains.map(({ domain }) => domain),
  )
  return `Deleted ${messages} old messages and ${keys} retired DKIM keys, checked ${signed.size} domains.`
}
