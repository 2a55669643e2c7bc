import { setTimeout as sleep } from 'node:timers/promises'
import type { DnsRecord } from '#platform/dns/provider.ts'
import type { Scope } from '#platform/scope.ts'
import { isPublished } from './authority.ts'
import type { DnsPlan } from './plan-records.ts'
import { openProvider } from './token.ts'

const FIRST_POLL_MS = 200
const SLOWEST_POLL_MS = 3000

type Asking = Pick<Scope, 'db' | 'secrets' | 'installation'>

interface Work {
  readonly signal: AbortSignal
  /** Told of every change, for the log of the job. */
  readonly say: (line: string) => void
}

/** Does what the plan says. May run again, and ends in the same world. */
export const publishRecords = async (scope: Asking, plan: DnsPlan, work: Work): Promise<void> => {
  if (plan.changes.length === 0) return
  const provider = await openProvider(scope, work.signal)
  for (const { zone, add, remove, replace = [] } of plan.changes) {
    await provider.change(zone, { add, remove, replace })
    for (const record of [...remove, ...replace]) work.say(`DNS: removed ${describe(record)}`)
    for (const record of add) work.say(`DNS: created ${describe(record)}`)
  }
}

/** What was there before comes back. Harmless when the plan was never carried out. */
export const restoreRecords = async (scope: Asking, plan: DnsPlan, work: Work): Promise<void> => {
  const inverse = plan.changes.toReversed().map(({ zone, add, remove }) => ({ zone, add: remove, remove: add }))
  await publishRecords(scope, { items: [], changes: inverse }, work)
}

const describe = ({ name, type, value, ttlSeconds }: DnsRecord): string =>
  `${name} ${type} ${value.length > 100 ? `${value.slice(0, 100)}…` : value} (TTL ${ttlSeconds} s)`

/** Whether the name servers of each zone respond with what was added, at the latest after `limitMs`. */
export const awaitPublished = async (
  { installation }: Pick<Scope, 'installation'>,
  plan: DnsPlan,
  { signal, limitMs }: { readonly signal: AbortSignal; readonly limitMs: number },
): Promise<boolean> => {
  const deadline = Date.now() + limitMs
  for (let waitMs = FIRST_POLL_MS; ; waitMs = Math.min(waitMs * 2, SLOWEST_POLL_MS)) {
    const found = await Promise.all(
      plan.changes.flatMap(({ zone, add }) =>
        add.map(record => isPublished(installation.dnsServers, zone.name, record)),
      ),
    )
    if (found.every(Boolean)) return true
    if (Date.now() + waitMs > deadline) return false
    await sleep(waitMs, undefined, { signal })
  }
}
