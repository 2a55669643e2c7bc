import { levelOf } from '#platform/access/actor.ts'
import { reaches } from '#platform/contract/level.ts'
import type { Scope } from '#platform/scope.ts'
import { panel } from './contract.ts'
import type { OverviewPart } from './hooks.ts'
import { listKeysExpiringBetween } from './key-store.ts'

const DAY_MS = 86_400_000
const NOTICE_MS = 14 * DAY_MS

const inDays = (ms: number): string => {
  const days = Math.ceil(ms / DAY_MS)
  return days === 1 ? 'within a day' : `in ${days} days`
}

/** What Home says about API keys: those about to expire, for callers who may list keys. */
export const expiringKeys = async (scope: Scope): Promise<OverviewPart> => {
  if (!reaches(levelOf(scope.actor), panel.keyList.level)) return { counts: {}, attention: [] }
  const now = scope.now()
  const keys = await listKeysExpiringBetween(scope.db, now, now + NOTICE_MS)
  return {
    counts: {},
    attention: keys.map(({ id, name, expires_at }) => ({
      id: `key-expiring:${id}`,
      severity: 'warning',
      title: `The API key ${name} expires ${inDays((expires_at ?? now) - now)}`,
      detail: 'Replace it with a new key, then revoke this one.',
      action: { label: 'View key', to: `/settings/keys?key=${id}` },
    })),
  }
}
