import type { DestinationRow } from '../destinations/destination-store.ts'
import type { CopyRow } from './copy-store.ts'

const DAY_MS = 86_400_000

type Retention = Pick<
  DestinationRow,
  'retention_count' | 'retention_days' | 'retention_daily' | 'retention_weekly' | 'retention_monthly'
>
type Dated = Pick<CopyRow, 'id' | 'site_slug' | 'status' | 'backup_created_at'>

const dayOf = (at: number) => Math.floor(at / DAY_MS)
/** Weeks begin on Monday: the first day of all was a Thursday. */
const weekOf = (at: number) => Math.floor((dayOf(at) + 3) / 7)
const monthOf = (at: number) => new Date(at).toISOString().slice(0, 7)

/** The newest of each of the newest periods that have one. */
const newestPer = <T extends Dated>(newestFirst: readonly T[], periodOf: (at: number) => unknown, count: number): T[] =>
  [...Map.groupBy(newestFirst, copy => periodOf(copy.backup_created_at)).values()]
    .slice(0, count)
    .flatMap(([newest]) => newest ?? [])

const keptOf = <T extends Dated>(newestFirst: readonly T[], row: Retention, now: number): ReadonlySet<T> => {
  const { retention_days: days } = row
  return new Set([
    ...newestFirst.slice(0, 1),
    ...newestFirst.slice(0, row.retention_count ?? 0),
    ...(days === null ? [] : newestFirst.filter(copy => copy.backup_created_at >= now - days * DAY_MS)),
    ...newestPer(newestFirst, dayOf, row.retention_daily ?? 0),
    ...newestPer(newestFirst, weekOf, row.retention_weekly ?? 0),
    ...newestPer(newestFirst, monthOf, row.retention_monthly ?? 0),
  ])
}

const hasLimit = (row: Retention): boolean =>
  [row.retention_count, row.retention_days, row.retention_daily, row.retention_weekly, row.retention_monthly].some(
    limit => limit !== null,
  )

/** Good copies at one destination that none of its limits keeps. The newest good copy of each site always stays. */
export const outdatedCopies = <T extends Dated>(copies: readonly T[], row: Retention, now: number): T[] => {
  if (!hasLimit(row)) return []
  const good = copies.filter(({ status }) => status === 'good')
  return [...Map.groupBy(good, copy => copy.site_slug).values()].flatMap(ofSite => {
    const newestFirst = ofSite.toSorted((a, b) => b.backup_created_at - a.backup_created_at)
    const kept = keptOf(newestFirst, row, now)
    return newestFirst.filter(copy => !kept.has(copy))
  })
}
