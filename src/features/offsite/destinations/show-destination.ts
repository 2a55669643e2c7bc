import { COPY_STATUSES } from '#features/backups/contract.ts'
import type { Db } from '#platform/db/database.ts'
import type { Destination } from '../contract.ts'
import { countByStatus, findNewestCopy } from '../copies/copy-store.ts'
import type { DestinationRow } from './destination-store.ts'

export const showDestinations = async (db: Db, rows: readonly DestinationRow[]): Promise<Destination[]> => {
  const counts = await countByStatus(db)
  return Promise.all(
    rows.map(async row => {
      const own = counts.filter(({ destination_id }) => destination_id === row.id)
      const newest = await findNewestCopy(db, row.id)
      const of = (status: string) => own.find(count => count.status === status)
      return {
        ...fieldsOf(row),
        copies: Object.fromEntries(
          COPY_STATUSES.map(status => [status, of(status)?.count ?? 0]),
        ) as Destination['copies'],
        sites: of('good')?.sites ?? 0,
        lastCopyAt: of('good')?.last_at ?? null,
        lastError: newest?.status === 'failed' ? newest.error : null,
      }
    }),
  )
}

export const showDestination = async (db: Db, row: DestinationRow): Promise<Destination> => {
  const [shown] = await showDestinations(db, [row])
  if (!shown) throw new Error('one row is shown as one destination')
  return shown
}

const fieldsOf = (row: DestinationRow) => ({
  id: row.id,
  name: row.name,
  provider: row.provider,
  config: JSON.parse(row.config) as Destination['config'],
  secretsSet: JSON.parse(row.secret_names) as string[],
  enabled: row.enabled === 1,
  copyTypes: JSON.parse(row.copy_types) as Destination['copyTypes'],
  retentionCount: row.retention_count,
  retentionDays: row.retention_days,
  retentionDaily: row.retention_daily,
  retentionWeekly: row.retention_weekly,
  retentionMonthly: row.retention_monthly,
  encryption: row.sealed_passphrase !== null,
  backfill: row.backfill === 1,
  deleting: row.deleting === 1,
  createdAt: row.created_at,
})
