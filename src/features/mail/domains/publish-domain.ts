import { hasToken, planRecords, publishRecords } from '#features/dns/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { createKey } from '../dkim/create-key.ts'
import { listKeysOf } from '../dkim/key-store.ts'
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

const PUBLISH_LIMIT_MS = 60_000

/** A record as it should be in DNS. */
interface WantedRecord extends DnsRecord {
  /** The one record of this name and type that it takes the place of; null when it is added to what is there. */
  readonly replaces: string | null
}

export const requirePublisher = async (scope: Scope): Promise<void> => {
  if (!(await hasToken(scope)))
    throw new Problem(
      'conflict',
      'The panel has no DNS token. Add one under Settings, DNS, or publish the records yourself.',
    )
}

/** All of them or none: what stands in the way is said before anything changes. */
export const putInDns = async (scope: Scope, records: readonly WantedRecord[]): Promise<void> => {
  const signal = AbortSignal.timeout(PUBLISH_LIMIT_MS)
  const wanted = records.map(({ name, type, content, replaces }) => ({ name, type, value: content, replaces }))
  const plan = await planRecords(scope, wanted, signal)
  const blocked = plan.items.find(({ action }) => action === 'blocked')
  if (blocked) throw new Problem('conflict', blocked.reason ?? `${blocked.name} can't be changed.`)
  await publishRecords(scope, plan, { signal, say: line => scope.log.info(line) })
}

/** Publishes what can be changed safely: SPF as one record, DKIM. What DMARC should be, only its owner knows. */
export const publishDomain = async (scope: Scope, domain: string): Promise<Publication> => {
  const sending = await getSendingDomain(scope, domain)
  await requirePublisher(scope)
  await ensureKey(scope, domain)
  const [before] = await checkDomains(scope, [sending])
  if (!before) throw new Error('a domain was not checked')
  const records = recordsToPublish(before)
  if (records.length > 0) await putInDns(scope, records)
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
