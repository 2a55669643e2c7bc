import { awaitPublished, type DnsPlan, hasToken, publishRecords, restoreRecords } from '#features/dns/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import type { SiteRow } from '../site-store.ts'
import { insertGoLive } from './go-live-store.ts'
import { missingRecords } from './missing-records.ts'
import { planAddresses } from './plan-addresses.ts'

/** After that the site waits without holding anyone up. */
const ANSWER_MS = 60_000

interface Input {
  hostnames: string[]
}
export interface RecordState {
  /** What was to be changed in DNS, with what was there before. */
  dns: DnsPlan
  /** DNS takes longer than anyone should wait for: the site goes live by itself. */
  isWaiting: boolean
}
type Context = StepContext<Input, RecordState>

/** Points names to the server of the site, and waits until name servers respond with it. */
export const setRecords = async (context: Context, site: SiteRow, names: readonly string[]): Promise<void> => {
  const { db, input, state, signal, say, save, now } = context
  state.dns ??= await planAddresses(context, site.server_id, names, signal)
  await save()
  await refuseBlocked(context, site.server_id, state.dns)
  await publishRecords(context, state.dns, { signal, say })
  if (await awaitPublished(context, state.dns, { signal, limitMs: ANSWER_MS })) return
  await insertGoLive(db, site.slug, input.hostnames, now())
  state.isWaiting = true
  say('DNS is set, but not every name server responds with it yet. The site goes live by itself as soon as it does.')
}

/** Records of others are left alone; that is fine where they are right already. */
const refuseBlocked = async (context: Context, serverId: number, { items }: DnsPlan): Promise<void> => {
  const blocked = items.filter(({ action }) => action === 'blocked')
  const names = [...new Set(blocked.map(({ name }) => name))]
  if (names.length === 0) return
  const wrong = new Set((await missingRecords(context, serverId, names)).map(({ hostname }) => hostname))
  const reasons = blocked.filter(({ name }) => wrong.has(name)).map(({ reason }) => reason)
  if (reasons.length > 0) throw new Problem('conflict', `Nothing was changed. ${[...new Set(reasons)].join(' ')}`)
}

export const unsetRecords = async (context: Context): Promise<void> => {
  const { state, signal, say } = context
  if (!state.dns || state.isWaiting) return
  if (await hasToken(context)) return restoreRecords(context, state.dns, { signal, say })
  say('The DNS token was removed, so the records stay as they are.')
}
