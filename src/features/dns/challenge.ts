import type { DnsChallenge } from '#features/certificates/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { type DnsProvider, zoneOf } from '#platform/dns/provider.ts'
import type { Scope } from '#platform/scope.ts'
import { awaitPublished } from './publish-records.ts'
import { readToken } from './token.ts'

const PUBLISHED_MS = 120_000
const TTL_SECONDS = 60

/** How the panel proves names by records of its own; undefined without a token. */
export const dnsChallenge = async (scope: Scope, signal: AbortSignal): Promise<DnsChallenge | undefined> => {
  const provider = (await readToken(scope))?.connect(signal)
  return (
    provider && {
      type: 'dns-01',
      publish: async (name, value) => {
        const { zone, record } = await proofAt(provider, name, value)
        await provider.change(zone, { add: [record], remove: [] })
        const plan = { items: [], changes: [{ zone, add: [record], remove: [] }] }
        if (!(await awaitPublished(scope, plan, { signal, limitMs: PUBLISHED_MS })))
          throw new Problem('conflict', `The name servers of ${zone.name} don't show the new record yet. Try again.`)
      },
      // What the attempt came to is worth more than a record that stays; it is removed with the next attempt.
      unpublish: async (name, value) => {
        try {
          const { zone, record } = await proofAt(provider, name, value)
          await provider.change(zone, { add: [], remove: [record] })
        } catch (error) {
          scope.log.warn({ err: error, name }, 'could not remove a challenge record')
        }
      },
    }
  )
}

const proofAt = async (provider: DnsProvider, name: string, value: string) => {
  const zone = zoneOf(await provider.listZones([name]), name)
  if (!zone) throw new Problem('conflict', `The DNS token reaches no zone of ${name}.`)
  const record = { name: `_acme-challenge.${name}`, type: 'TXT' as const, value, ttlSeconds: TTL_SECONDS }
  return { zone, record }
}
