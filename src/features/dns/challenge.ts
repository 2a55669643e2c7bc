import type { DnsChallenge } from '#features/certificates/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { type DnsProvider, type Zone, zoneOf } from '#platform/dns/provider.ts'
import type { Scope } from '#platform/scope.ts'
import { awaitPublished } from './publish-records.ts'
import { readToken } from './token.ts'

const PUBLISHED_MS = 120_000
const REMOVED_MS = 60_000
const TTL_SECONDS = 60

/** How the panel proves names by records of its own; undefined without a token. */
export const dnsChallenge = async (scope: Scope, signal: AbortSignal): Promise<DnsChallenge | undefined> => {
  const token = await readToken(scope)
  if (!token) return undefined
  const provider = token.connect(signal)
  const offered = new Set<string>()
  return {
    type: 'dns-01',
    publish: async (name, value) => {
      const { zone, record } = await proofAt(provider, name, value)
      offered.add(value)
      const remove = await leftOver(provider, zone, record.name, offered)
      await provider.change(zone, { add: [record], remove })
      const plan = { items: [], changes: [{ zone, add: [record], remove: [] }] }
      if (!(await awaitPublished(scope, plan, { signal, limitMs: PUBLISHED_MS })))
        throw new Problem('conflict', `The name servers of ${zone.name} don't show the new record yet. Try again.`)
    },
    // What the attempt came to is worth more than a record that stays; it is removed with the next attempt. One that was
    // canceled is tidied up, too.
    unpublish: async (name, value) => {
      const remover = token.connect(AbortSignal.timeout(REMOVED_MS))
      try {
        const { zone, record } = await proofAt(remover, name, value)
        await remover.change(zone, { add: [], remove: [record] })
      } catch (error) {
        scope.log.warn({ err: error, name }, 'could not remove a challenge record')
      }
    },
  }
}

/** What earlier attempts could not remove, because the provider did not respond. */
const leftOver = async (provider: DnsProvider, zone: Zone, name: string, offered: ReadonlySet<string>) =>
  (await provider.listRecords(zone, name)).filter(
    ({ type, value, isOurs }) => isOurs && type === 'TXT' && !offered.has(value),
  )

const proofAt = async (provider: DnsProvider, name: string, value: string) => {
  const zone = zoneOf(await provider.listZones([name]), name)
  if (!zone) throw new Problem('conflict', `The DNS token reaches no zone of ${name}.`)
  const record = { name: `_acme-challenge.${name}`, type: 'TXT' as const, value, ttlSeconds: TTL_SECONDS }
  return { zone, record }
}
