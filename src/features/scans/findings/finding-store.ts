import { Problem } from '#platform/contract/problem.ts'
import type { Db } from '#platform/db/database.ts'
import { FINDING_STATUSES, SEVERITIES } from '../contract.ts'
import type { FindingTable } from '../tables.ts'

export type FindingRow = FindingTable
type Status = FindingRow['status']

const rank = ({ severity }: FindingRow): number => SEVERITIES.indexOf(severity)

/** The most serious first. */
export const listFindings = async (db: Db, slug: string, status?: Status): Promise<FindingRow[]> => {
  const rows = await db
    .selectFrom('finding')
    .selectAll()
    .where('site_slug', '=', slug)
    .$if(status !== undefined, query => query.where('status', '=', status ?? 'open'))
    .orderBy('path')
    .orderBy('rule')
    .execute()
  return rows.toSorted((a, b) => rank(a) - rank(b))
}

export const countByStatus = async (db: Db, slug: string): Promise<Record<Status, number>> => {
  const rows = await db
    .selectFrom('finding')
    .select(select => ['status', select.fn.countAll<number>().as('count')])
    .where('site_slug', '=', slug)
    .groupBy('status')
    .execute()
  const countOf = (status: Status) => rows.find(row => row.status === status)?.count ?? 0
  return Object.fromEntries(FINDING_STATUSES.map(status => [status, countOf(status)])) as Record<Status, number>
}

export type OpenCounts = Record<(typeof SEVERITIES)[number], number>

/** Open findings per severity, by site. */
export const countOpen = async (db: Db): Promise<Map<string, OpenCounts>> => {
  const rows = await db
    .selectFrom('finding')
    .select(select => ['site_slug', 'severity', select.fn.countAll<number>().as('count')])
    .where('status', '=', 'open')
    .groupBy(['site_slug', 'severity'])
    .execute()
  const found = new Map<string, OpenCounts>()
  for (const { site_slug, severity, count } of rows) {
    const counts = found.get(site_slug) ?? { confirmed: 0, suspicious: 0, notice: 0 }
    found.set(site_slug, { ...counts, [severity]: count })
  }
  return found
}

export const getFinding = async (db: Db, slug: string, id: string): Promise<FindingRow> => {
  const query = db.selectFrom('finding').selectAll().where('id', '=', id).where('site_slug', '=', slug)
  const row = await query.executeTakeFirst()
  if (!row) throw new Problem('not_found', 'This site has no such finding. Refresh the list.')
  return row
}

/** False when it no longer has the status that it had. */
export const changeFinding = async (
  db: Db,
  { id, status }: Pick<FindingRow, 'id' | 'status'>,
  change: Partial<FindingRow>,
): Promise<boolean> => {
  const query = db.updateTable('finding').set(change).where('id', '=', id).where('status', '=', status)
  return (await query.executeTakeFirst()).numUpdatedRows > 0n
}

export const updateFinding = async (db: Db, id: string, change: Partial<FindingRow>): Promise<void> => {
  await db.updateTable('finding').set(change).where('id', '=', id).execute()
}

export const insertFinding = async (db: Db, row: FindingRow): Promise<void> => {
  await db.insertInto('finding').values(row).execute()
}

/** All open findings of one file go where the file goes. */
export const followFile = async (
  db: Db,
  { slug, path, from }: { slug: string; path: string; from: Status },
  change: Partial<FindingRow>,
): Promise<void> => {
  await db
    .updateTable('finding')
    .set(change)
    .where('site_slug', '=', slug)
    .where('path', '=', path)
    .where('status', '=', from)
    .execute()
}

/** Those of one file that was moved out. */
export const changeOfItem = async (db: Db, quarantineId: string, change: Partial<FindingRow>): Promise<void> => {
  await db.updateTable('finding').set(change).where('quarantine_id', '=', quarantineId).execute()
}

export const deleteFindings = async (db: Db, slug: string): Promise<void> => {
  await db.deleteFrom('finding').where('site_slug', '=', slug).execute()
}

export const deleteResolvedBefore = async (db: Db, before: number): Promise<void> => {
  await db.deleteFrom('finding').where('status', '=', 'resolved').where('changed_at', '<', before).execute()
}
