import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { listKeys } from '../dkim/key-store.ts'
import { relaySettings } from '../settings.ts'
import { type Dns, NoAnswer, withDns } from './ask-dns.ts'
import { checkDomain } from './check-domain.ts'
import type { MailDomain } from './contract.ts'
import { listSendingDomains, type SendingDomain } from './sending-domains.ts'

const AT_ONCE = 20
const LIMIT_MS = 10_000

/** Every sending domain as DNS has it now. What takes too long is unknown. */
export const checkDomains = async (scope: Scope, domains: readonly SendingDomain[]): Promise<MailDomain[]> => {
  const until = Date.now() + LIMIT_MS
  const options = {
    keys: await listKeys(scope.db),
    isDirect: (await scope.settings.read(relaySettings)).smarthost === '',
    now: scope.now(),
  }
  const checked: MailDomain[] = []
  for (let at = 0; at < domains.length; at += AT_ONCE) {
    const some = domains.slice(at, at + AT_ONCE)
    const check = (dns: Dns) => Promise.all(some.map(domain => checkDomain(dns, domain, options)))
    checked.push(...(Date.now() > until ? await check(SILENT) : await withDns(scope.installation.dnsServers, check)))
  }
  return checked
}

const silence = async () => {
  throw new NoAnswer()
}
const SILENT: Dns = { texts: silence, textsAtSource: silence, addresses: silence, exchanges: silence, namesOf: silence }

export const getSendingDomain = async (scope: Scope, domain: string): Promise<SendingDomain> => {
  const found = (await listSendingDomains(scope.db)).find(each => each.domain === domain)
  if (!found) throw new Problem('not_found', `No site sends mail from ${domain}. Add the domain to a site first.`)
  return found
}
