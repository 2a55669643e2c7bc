import type { BackupRow } from '../backup-store.ts'
import type { BackupSettings } from '../settings.ts'

const DAY_MS = 86_400_000

interface Now {
  readonly now: number
  readonly settings: BackupSettings
  /** Of the sites that there are. */
  readonly slugs: ReadonlySet<string>
}

/**
 * What the settings say is too old. The newest backup of a site that exists always stays, and so does everything a person
 * asked for.
 */
export const outdated = (rows: readonly BackupRow[], { now, settings, slugs }: Now): BackupRow[] => {
  const isOlder = ({ created_at }: BackupRow, days: number) => created_at < now - days * DAY_MS
  return [...Map.groupBy(rows, row => row.site_slug)].flatMap(([slug, ofSite]) => {
    if (!slugs.has(slug)) return ofSite.filter(row => isOlder(row, settings.finalDays))
    const [newest, ...older] = ofSite.toSorted((a, b) => b.created_at - a.created_at)
    const scheduled = (newest ? [newest, ...older] : []).filter(({ type }) => type === 'scheduled')
    const surplus = new Set(scheduled.slice(settings.scheduledCount))
    const isSafety = ({ type }: BackupRow) => type === 'pre_update' || type === 'pre_restore'
    return older.filter(row => surplus.has(row) || (isSafety(row) && isOlder(row, settings.safetyDays)))
  })
}
