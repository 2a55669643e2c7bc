import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Request } from '#platform/contract/endpoint.ts'
import { Problem } from '#platform/contract/problem.ts'
import { containsPattern, type Db } from '#platform/db/database.ts'
import type { Tables } from '#platform/db/tables.ts'
import { BACKUP_TYPES, type backups } from './contract.ts'
import type { BackupTable } from './tables.ts'

export type BackupRow = BackupTable

type Filter = Omit<Request<(typeof backups)['backupList']>['query'], 'limit' | 'offset'>
type Where = ExpressionBuilder<Tables, 'backup'>

const matches = (where: Where, { siteSlug, serverId, type, q }: Filter) => {
  const like = (column: string, pattern: string) => sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`
  const pattern = containsPattern((q ?? '').toLowerCase())
  return where.and([
    ...(siteSlug === undefined ? [] : [where('site_slug', '=', siteSlug)]),
    ...(serverId === undefined ? [] : [where('server_id', '=', serverId)]),
    ...(type === undefined ? [] : [where('type', '=', type)]),
    ...(q ? [where.or([like('site_slug', pattern), like('note', pattern)])] : []),
  ])
}

/** The newest first. */
export const listBackups = (
  db: Db,
  filter: Filter,
  page?: { readonly limit: number; readonly offset: number },
): Promise<BackupRow[]> =>
  db
    .selectFrom('backup')
    .selectAll()
    .where(where => matches(where, filter))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .$if(page !== undefined, query => query.limit(page?.limit ?? 0).offset(page?.offset ?? 0))
    .execute()

export const listBackupsById = (db: Db, ids: readonly string[]): Promise<BackupRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('backup')
        .selectAll()
        .where('id', 'in', [...ids])
        .orderBy('id')
        .execute()

/** How many there are per type with every other filter applied, and what those of the type take. */
export const countBackups = async (db: Db, filter: Filter) => {
  const rows = await db
    .selectFrom('backup')
    .select(select => [
      'type',
      select.fn.countAll<number>().as('count'),
      select.fn.coalesce(select.fn.sum<number>('added_bytes'), sql<number>`0`).as('bytes'),
    ])
    .where(where => matches(where, { ...filter, type: undefined }))
    .groupBy('type')
    .execute()
  const meant = rows.filter(({ type }) => filter.type === undefined || type === filter.type)
  const sum = (figures: readonly (number | string)[]) => figures.reduce<number>((all, one) => all + Number(one), 0)
  const countOf = (type: string) => rows.find(row => row.type === type)?.count ?? 0
  return {
    counts: Object.fromEntries(BACKUP_TYPES.map(type => [type, countOf(type)])),
    total: sum(meant.map(({ count }) => count)),
    sizeBytes: sum(meant.map(({ bytes }) => bytes)),
  }
}

export const findBackup = (db: Db, id: string): Promise<BackupRow | undefined> =>
  db.selectFrom('backup').selectAll().where('id', '=', id).executeTakeFirst()

export const getBackup = async (db: Db, id: string): Promise<BackupRow> => {
  const row = await findBackup(db, id)
  if (!row) throw new Problem('not_found', 'There is no such backup. It may have been deleted.')
  return row
}

/** Harmless when it is listed already. */
export const insertBackup = async (db: Db, row: BackupRow): Promise<void> => {
  await db
    .insertInto('backup')
    .values(row)
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute()
}

export const deleteBackups = async (db: Db, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0)
    await db
      .deleteFrom('backup')
      .where('id', 'in', [...ids])
      .execute()
}

/** The newest of each site. */
export const listLatestBackups = (db: Db): Promise<BackupRow[]> =>
  db
    .selectFrom('backup')
    .selectAll()
    .where('id', 'in', select =>
      select
        .selectFrom('backup')
        .select(({ fn }) => fn.max('id').as('id'))
        .groupBy('site_slug'),
    )
    .execute()

/** How many backups each site has, and what they take. */
export const countBySite = async (db: Db): Promise<Map<string, { backups: number; sizeBytes: number }>> => {
  const rows = await db
    .selectFrom('backup')
    .select(({ fn }) => [
      'site_slug',
      fn.countAll<number>().as('backups'),
      fn.sum<number | string>('added_bytes').as('bytes'),
    ])
    .groupBy('site_slug')
    .execute()
  return new Map(
    rows.map(({ site_slug, backups, bytes }) => [site_slug, { backups, sizeBytes: Number(bytes) }] as const),
  )
}

/** Jobs that should have backed up a site and failed, where no later one has succeeded. */
export const listFailures = (db: Db, siteSlug?: string) =>
  db
    .selectFrom('job')
    .select(['id', 'site_slug', 'error_message', 'finished_at'])
    .where('status', '=', 'failed')
    .where('id', 'in', select =>
      select
        .selectFrom('job')
        .select(({ fn }) => fn.max('id').as('id'))
        .where('type', '=', 'backup.create')
        .where('status', 'in', ['failed', 'succeeded'])
        .$if(siteSlug !== undefined, query => query.where('site_slug', '=', siteSlug ?? ''))
        .groupBy('site_slug'),
    )
    .execute()

export const moveBackups = async (db: Db, slug: string, { from, to }: { from: number; to: number }): Promise<void> => {
  await db
    .updateTable('backup')
    .set({ server_id: to })
    .where('site_slug', '=', slug)
    .where('server_id', '=', from)
    .execute()
}

/** Where it is from now on: on a server under this name, or only elsewhere. */
export const placeBackup = async (
  db: Db,
  id: string,
  { snapshotId, serverId }: { readonly snapshotId: string | null; readonly serverId?: number | undefined },
): Promise<void> => {
  await db
    .updateTable('backup')
    .set({ snapshot_id: snapshotId, ...(serverId !== undefined && { server_id: serverId }) })
    .where('id', '=', id)
    .execute()
}
