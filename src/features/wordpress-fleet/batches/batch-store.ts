import type { Db } from '#platform/db/database.ts'
import type { JobRow } from '#platform/jobs/job-store.ts'

export const listBatchJobs = (db: Db, batchId: string): Promise<JobRow[]> =>
  db.selectFrom('job').selectAll().where('batch_id', '=', batchId).orderBy('site_slug').execute()
