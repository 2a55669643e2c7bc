import { sql, type Transaction } from 'kysely'
import type { JobLogLine } from '#platform/contract/job.ts'
import type { Database, Db } from '#platform/db/database.ts'
import type { Tables } from '#platform/db/tables.ts'
import { insertLogLines } from './log-store.ts'
import type { JobTable } from './tables.ts'

export type JobRow = JobTable

export const JOBS_CHANGED = 'jobs'

/** Adds a job and its lanes. Runs inside the caller's transaction when one is given. */
export const insertJob = async (db: Db, row: JobRow, lanes: readonly string[]): Promise<void> => {
  const insert = async (trx: Db) => {
    await trx.insertInto('job').values(row).execute()
    await trx
      .insertInto('job_lane')
      .values(lanes.map(lane => ({ lane, job_id: row.id })))
      .execute()
  }
  await (db.isTransaction ? insert(db) : db.transaction().execute(insert))
}

export const findJob = (db: Db, id: string): Promise<JobRow | undefined> =>
  db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirst()

export const findActiveJobOfSite = (db: Db, siteSlug: string): Promise<JobRow | undefined> =>
  db
    .selectFrom('job')
    .selectAll()
    .where('site_lock', '=', siteSlug)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst()

export const listActiveJobsOfServer = (db: Db, serverId: number): Promise<JobRow[]> =>
  db
    .selectFrom('job')
    .selectAll()
    .where('server_id', '=', serverId)
    .where('status', 'in', ['queued', 'running'])
    .orderBy('id')
    .execute()

export const findJobByOnceKey = (db: Db, onceKey: string): Promise<JobRow | undefined> =>
  db.selectFrom('job').selectAll().where('once_key', '=', onceKey).executeTakeFirst()

/** The oldest job of every lane no one holds. Steps from lane to lane by index, however many jobs wait in each. */
const listHeads = async (db: Db): Promise<{ lane: string; job_id: string }[]> => {
  const { rows } = await sql<{ lane: string; job_id: string }>`
    with recursive lanes(lane) as (
      select min(lane) from job_lane
      union all
      select (select min(next.lane) from job_lane next where next.lane > lanes.lane) from lanes where lanes.lane is not null
    )
    select lane, (select min(job_id) from job_lane where job_lane.lane = lanes.lane) as job_id
    from lanes
    where lane is not null and not exists (select 1 from lane_hold where lane_hold.lane = lanes.lane)`.execute(db)
  return rows
}

/** Queued jobs that are first in every one of their lanes, none of which is held. */
export const listStartable = async (db: Db): Promise<string[]> => {
  const headOf = new Map((await listHeads(db)).map(head => [head.lane, head.job_id]))
  const candidates = [...new Set(headOf.values())]
  if (candidates.length === 0) return []
  const queued = await db
    .selectFrom('job')
    .select(['id', 'lanes'])
    .where('id', 'in', candidates)
    .where('status', '=', 'queued')
    .orderBy('id')
    .execute()
  return queued
    .filter(job => (JSON.parse(job.lanes) as string[]).every(lane => headOf.get(lane) === job.id))
    .map(job => job.id)
}

export interface Claim {
  worker: string
  now: number
  leaseUntil: number
  /** How long it may take, and what it does first. */
  startOf(row: JobRow): Partial<JobRow>
}

/** Starts a queued job for this worker: its status and all of its lanes in one transaction, or nothing. */
export const claimJob = (db: Db, id: string, claim: Claim): Promise<JobRow | undefined> =>
  db.transaction().execute(async trx => {
    const row = await trx
      .selectFrom('job')
      .selectAll()
      .where('id', '=', id)
      .where('status', '=', 'queued')
      .executeTakeFirst()
    if (!row) return undefined
    const lanes = JSON.parse(row.lanes) as string[]
    await trx
      .insertInto('lane_hold')
      .values(lanes.map(lane => ({ lane, job_id: id })))
      .execute()
    const changed = {
      status: 'running' as const,
      worker: claim.worker,
      lease_until: claim.leaseUntil,
      attempt: row.attempt + 1,
      started_at: row.started_at ?? claim.now,
      ...claim.startOf(row),
    }
    const { numUpdatedRows } = await trx
      .updateTable('job')
      .set(changed)
      .where('id', '=', id)
      .where('status', '=', 'queued')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new Error(`job ${id} was taken by another process`)
    return { ...row, ...changed }
  })

/** Running jobs whose worker is gone: this worker's own earlier life, or one whose lease ran out. */
export const takeOverJobs = async (
  db: Db,
  worker: string,
  own: boolean,
  now: number,
  leaseUntil: number,
): Promise<JobRow[]> => {
  const orphaned = await db
    .selectFrom('job')
    .select(['id', 'attempt', 'crashes', 'worker', 'lease_until'])
    .where('status', '=', 'running')
    .where(where =>
      own ? where.or([where('worker', '=', worker), where('lease_until', '<', now)]) : where('lease_until', '<', now),
    )
    .execute()
  const taken: JobRow[] = []
  for (const { id, attempt, crashes, ...left } of orphaned) {
    // One that was put down has no lease; one whose lease ran out lost its database, not its process.
    const hasCrashed = own && left.worker === worker && left.lease_until !== 0
    const row = await db
      .updateTable('job')
      .set({ worker, lease_until: leaseUntil, attempt: attempt + 1, crashes: crashes + (hasCrashed ? 1 : 0) })
      .where('id', '=', id)
      .where('status', '=', 'running')
      .where('attempt', '=', attempt)
      .returningAll()
      .executeTakeFirst()
    if (row) taken.push(row)
  }
  return taken
}

/** Keeps this worker's jobs; returns which are still its own and which are asked to stop. */
export const renewLeases = (db: Db, worker: string, ids: readonly string[], leaseUntil: number) =>
  db
    .updateTable('job')
    .set({ lease_until: leaseUntil })
    .where('worker', '=', worker)
    .where('status', '=', 'running')
    .where('id', 'in', ids)
    .returning(['id', 'attempt', 'cancel_requested_at'])
    .execute()

/** Another process runs this job now: everything this runner still wanted to write is void. */
export class LeaseLost extends Error {}

const mine = (row: Pick<JobRow, 'id' | 'attempt'>) => ({ id: row.id, attempt: row.attempt })

/** Saves progress, but only while the job is still this runner's. */
export const saveProgress = async (db: Db, row: JobRow, changes: Partial<JobRow>): Promise<void> => {
  const { id, attempt } = mine(row)
  const { numUpdatedRows } = await db
    .updateTable('job')
    .set(changes)
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('status', '=', 'running')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new LeaseLost(`job ${id} is no longer this runner's`)
  Object.assign(row, changes)
}

export const leaveLanes = async (trx: Transaction<Tables>, id: string) => {
  await trx.deleteFrom('lane_hold').where('job_id', '=', id).execute()
  await trx.deleteFrom('job_lane').where('job_id', '=', id).execute()
}

/** Saves progress together with the log lines that tell of it. */
export const checkpoint = (
  db: Db,
  row: JobRow,
  changes: Partial<JobRow>,
  lines: readonly JobLogLine[],
): Promise<void> =>
  lines.length === 0
    ? saveProgress(db, row, changes)
    : db.transaction().execute(async trx => {
        await insertLogLines(trx, row.id, lines)
        await saveProgress(trx, row, changes)
      })

/** Ends a job and frees its lanes, in one transaction. */
export const finishJob = async (
  database: Database,
  row: JobRow,
  changes: Partial<JobRow>,
  lastLines: readonly JobLogLine[] = [],
): Promise<void> => {
  await database.db.transaction().execute(async trx => {
    await insertLogLines(trx, row.id, lastLines)
    await saveProgress(trx, row, { ...changes, worker: null, lease_until: null, step: null, progress: null })
    await leaveLanes(trx, row.id)
    await database.announce(JOBS_CHANGED, trx)
  })
}

/** Cancels a job that has not started, with what was saved together with it; false when it has. */
export const cancelQueued = (
  database: Database,
  id: string,
  now: number,
  withdraw: (row: JobRow, on: Db) => Promise<void>,
): Promise<boolean> =>
  database.db.transaction().execute(async trx => {
    const row = await trx
      .updateTable('job')
      .set({ status: 'canceled', cancel_requested_at: now, finished_at: now })
      .where('id', '=', id)
      .where('status', '=', 'queued')
      .where('steps', '=', '[]')
      .returningAll()
      .executeTakeFirst()
    if (!row) return false
    await withdraw(row, trx)
    await leaveLanes(trx, id)
    await database.announce(JOBS_CHANGED, trx)
    return true
  })

export const requestCancel = async (db: Db, id: string, now: number): Promise<void> => {
  await db
    .updateTable('job')
    .set({
      cancel_requested_at: now,
      retry_at: sql`case when retry_at is null then null else cast(${now} as bigint) end`,
    })
    .where('id', '=', id)
    .where(where => where.or([where('status', '=', 'running'), where('steps', '!=', '[]')]))
    .where('status', 'in', ['queued', 'running'])
    .where('cancel_requested_at', 'is', null)
    .execute()
}

/** After a restore from a snapshot: what ran then does not run here. */
export const failActiveJobs = async (db: Db, code: string, message: string, now: number): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('job')
    .set({
      status: 'failed',
      error_code: code,
      error_message: message,
      finished_at: now,
      worker: null,
      lease_until: null,
      retry_at: null,
      progress: null,
    })
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst()
  await db.deleteFrom('lane_hold').execute()
  await db.deleteFrom('job_lane').execute()
  return Number(numUpdatedRows)
}

export const countJobs = async (db: Db): Promise<{ status: JobRow['status']; count: number }[]> =>
  db
    .selectFrom('job')
    .select(['status', sql<number>`count(*)`.as('count')])
    .groupBy('status')
    .execute()
