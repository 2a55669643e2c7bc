import { batchInsert } from '#platform/db/batch.ts'
import type { Db } from '#platform/db/database.ts'
import type { WordpressTaskItemTable } from '../tables.ts'
import type { TaskItem } from './contract.ts'

const insertItems = batchInsert('wordpress_task_item', [
  'job_id',
  'position',
  'kind',
  'slug',
  'action',
  'fate',
  'from_version',
  'to_version',
  'reason',
])

/** Replaces what was planned for a job; within a transaction. */
export const keepTaskItems = async (on: Db, jobId: string, items: readonly TaskItem[]): Promise<void> => {
  await on.deleteFrom('wordpress_task_item').where('job_id', '=', jobId).execute()
  await insertItems(
    on,
    items.map((item, position) => rowOf(jobId, position, item)),
  )
}

const rowOf = (job_id: string, position: number, { from, to, ...item }: TaskItem): WordpressTaskItemTable => ({
  job_id,
  position,
  ...item,
  from_version: from,
  to_version: to,
})

export const setFate = async (
  db: Db,
  jobId: string,
  position: number,
  { fate, reason }: Pick<TaskItem, 'fate' | 'reason'>,
): Promise<void> => {
  await db
    .updateTable('wordpress_task_item')
    .set({ fate, reason })
    .where('job_id', '=', jobId)
    .where('position', '=', position)
    .execute()
}

/** In the order they are done in, by job. */
export const listTaskItems = async (db: Db, jobIds: readonly string[]): Promise<ReadonlyMap<string, TaskItem[]>> => {
  const rows = await db
    .selectFrom('wordpress_task_item')
    .selectAll()
    .where('job_id', 'in', jobIds)
    .orderBy('job_id')
    .orderBy('position')
    .execute()
  const found = new Map<string, TaskItem[]>()
  for (const row of rows) found.set(row.job_id, [...(found.get(row.job_id) ?? []), showItem(row)])
  return found
}

const showItem = ({
  kind,
  slug,
  action,
  fate,
  from_version,
  to_version,
  reason,
}: WordpressTaskItemTable): TaskItem => ({
  kind,
  slug,
  action,
  fate,
  from: from_version,
  to: to_version,
  reason,
})
