import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely'
import type { Request } from '#platform/contract/endpoint.ts'
import { JOB_STATUSES, type JobStatus } from '#platform/contract/job.ts'
import { containsPattern, type Db } from '#platform/db/database.ts'
import type { Tables } from '#platform/db/tables.ts'
import type { JobRow } from '#platform/jobs/job-store.ts'
import type { jobs } from './contract.ts'

export type JobFilter = Request<(typeof jobs)['jobList']>['query']

type Where = ExpressionBuilder<Tables, 'job'>
type Condition = ExpressionWrapper<Tables, 'job', SqlBool>

const matches = (where: Where, filter: JobFilter): Condition => {
  const conditions: Condition[] = []
  const equal = <K extends 'site_slug' | 'server_id' | 'schedule_id' | 'batch_id'>(
    column: K,
    value: string | number | undefined,
  ) => {
    if (value !== undefined) conditions.push(where(column, '=', value as never))
  }
  const oneOf = (column: 'type' | 'category' | 'origin', values: string[] | undefined) => {
    if (values !== undefined)
      conditions.push(where(column, 'in', values.length > 0 ? (values as never[]) : ['' as never]))
  }
  equal('site_slug', filter.siteSlug)
  equal('server_id', filter.serverId)
  equal('schedule_id', filter.scheduleId)
  equal('batch_id', filter.batchId)
  oneOf('type', filter.type)
  oneOf('category', filter.category)
  oneOf('origin', filter.origin)
  if (filter.since !== undefined) conditions.push(where('created_at', '>=', filter.since))
  if (filter.until !== undefined) conditions.push(where('created_at', '<', filter.until))
  if (filter.q) conditions.push(found(where, filter.q))
  return where.and(conditions)
}

/** Searching is literal and does not mind upper and lower case; `%` and `_` stand for themselves. */
const found = (where: Where, q: string): Condition => {
  const pattern = containsPattern(q.toLowerCase())
  const column = (name: 'label' | 'type' | 'site_slug' | 'id') =>
    sql<SqlBool>`lower(${sql.ref(`job.${name}`)}) like ${pattern} escape '\\'`
  return where.or([column('label'), column('type'), column('site_slug'), column('id')])
}

/** How many jobs there are per status, with every filter but the status applied. */
export const countByStatus = async (db: Db, filter: JobFilter): Promise<Record<JobStatus, number>> => {
  const rows = await db
    .selectFrom('job')
    .select(['status', db.fn.countAll<number>().as('count')])
    .where(where => matches(where, filter))
    .groupBy('status')
    .execute()
  const counts = Object.fromEntries(JOB_STATUSES.map(status => [status, 0])) as Record<JobStatus, number>
  for (const row of rows) counts[row.status] = row.count
  return counts
}

export const listJobs = (db: Db, filter: JobFilter): Promise<JobRow[]> =>
  db
    .selectFrom('job')
    .selectAll()
    .where(where => matches(where, filter))
    .$if(filter.status !== undefined, query =>
      query.where('status', 'in', filter.status?.length ? filter.status : ['' as JobStatus]),
    )
    .orderBy('id', 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute()

export const listFailedSince = (
  db: Db,
  since: number,
): Promise<Pick<JobRow, 'id' | 'label' | 'error_message' | 'site_slug'>[]> =>
  db
    .selectFrom('job')
    .select(['id', 'label', 'error_message', 'site_slug'])
    .where('status', '=', 'failed')
    .where('finished_at', '>=', since)
    .orderBy('id', 'desc')
    .limit(5)
    .execute()
