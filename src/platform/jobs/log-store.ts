import type { JobLogLine } from '#platform/contract/job.ts'
import type { Db } from '#platform/db/database.ts'

/** SQLite takes a limited number of values in one statement. */
const LINES_PER_INSERT = 1000

export const insertLogLines = async (db: Db, jobId: string, lines: readonly JobLogLine[]): Promise<void> => {
  for (let at = 0; at < lines.length; at += LINES_PER_INSERT) {
    const rows = lines.slice(at, at + LINES_PER_INSERT).map(line => ({ job_id: jobId, ...line }))
    await db.insertInto('job_log').values(rows).execute()
  }
}

export const lastLogSeq = async (db: Db, jobId: string): Promise<number> => {
  const row = await db
    .selectFrom('job_log')
    .select('seq')
    .where('job_id', '=', jobId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.seq ?? 0
}

export const listLogLines = (db: Db, jobId: string, after: number, limit: number): Promise<JobLogLine[]> =>
  db
    .selectFrom('job_log')
    .select(['seq', 'at', 'stream', 'text'])
    .where('job_id', '=', jobId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()
