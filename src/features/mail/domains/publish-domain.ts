import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { createKey } from '../dkim/create-key.ts'
import { listKeysOf } from '../dkim/key-store.ts'
import type { WantedRecord } from '../hooks.ts'
import { applyRelay } from '../relay/apply-relay.ts'
import { onServers } from '../relay/on-servers.ts'
import type { DnsRecord, MailDomain } from './contract.ts'
import { checkDomains, getSendingDomain } from './list-domains.ts'
import { settleDomain } from './recheck-domain.ts'

interface Publication {
  published: DnsRecord[]
  left: { record: string; reason: string }[]
  domain: MailDomain
}

/** Whether the panel can change this name in DNS. */
export const canPublish = async (scope: Scope, name: string): Promise<boolean> =>
  (await scope.events.raise(scope, 'canPublishRecords', { name })).some(Boolean)

export const requirePublisher = async (scope: Scope, name: string): Promise<void> => {
  if (!(await canPublish(scope, name)))
    throw new Problem(
      'conflict',
      `The panel can't change the DNS of ${name}. Set a DNS provider that reaches it, or publish the records yourself.`,
    )
}

/** Publishes what can be changed safely: SPF as one record, DKIM. What DMARC should be, only its owner knows. */
export const publishDomain = async (scope: Scope, domain: string): Promise<Publication> => {
  const sending = await getSendingDomain(scope, domain)
  await requirePublisher(scope, domain)
  await ensureKey(scope, domain)
  const [before] = await checkDomains(scope, [sending])
  if (!before) throw new Error('a domain was not checked')
  const records = recordsToPublish(before)
  if (records.length > 0) await scope.events.raise(scope, 'publishRecords', { records })
  const published = records.map(({ name, type, content }) => ({ name, type, content }))
  return { published, left: leftOver(before), domain: await settleDomain(scope, sending) }
}

const ensureKey = async (scope: Scope, domain: string): Promise<void> => {
  if ((await listKeysOf(scope.db, domain)).length > 0) return
  await createKey(scope, domain, false)
  await onServers(scope, serverId => applyRelay(scope, serverId))
}

/** The record takes the place of the one that is there: two SPF records would count as none. */
const recordsToPublish = ({ spf, dkim }: MailDomain): WantedRecord[] =>
  [spf, dkim].flatMap(({ record, current }) => (record ? [{ ...record, replaces: current[0] ?? null }] : []))

const leftOver = ({ spf, dkim, dmarc }: MailDomain): Publication['left'] =>
  Object.entries({ SPF: spf, DKIM: dkim, DMARC: dmarc }).flatMap(([record, check]) =>
    check.verdict !== 'ok' && (record === 'DMARC' || !check.record) ? [{ record, reason: check.message }] : [],
  )
