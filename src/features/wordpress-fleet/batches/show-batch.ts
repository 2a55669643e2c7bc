import { FATES, type TaskItem } from '#features/wordpress/contract.ts'
import { listTaskItems } from '#features/wordpress/index.ts'
import type { Reply } from '#platform/contract/endpoint.ts'
import { type Job, TERMINAL } from '#platform/contract/job.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import type { BatchRow, wordpressFleet } from '../contract.ts'
import { listBatchJobs } from './batch-store.ts'

/** What a job has not come to when it ends is never done. */
const endedItem = ({ status, error }: Job, item: TaskItem): TaskItem => {
  const isOpen = item.fate === 'waiting' || item.fate === 'running'
  if (!isOpen || !TERMINAL.includes(status)) return item
  return status === 'failed'
    ? { ...item, fate: 'failed', reason: error?.message ?? null }
    : { ...item, fate: 'skipped', reason: 'The job was canceled.' }
}

/** All that a table of progress shows, in one answer. */
export const showBatch = async (
  { db, jobs }: Pick<Scope, 'db' | 'jobs'>,
  id: string,
): Promise<Reply<typeof wordpressFleet.wpBatch>> => {
  const found = (await listBatchJobs(db, id)).map(row => jobs.show(row))
  const [first] = found
  if (!first) throw new Problem('not_found', 'There is no such batch. Its jobs are deleted after a while.')
  const items = await listTaskItems(
    db,
    found.map(job => job.id),
  )
  const rows = found.map(
    (job): BatchRow => ({
      siteSlug: job.siteSlug ?? '',
      jobId: job.id,
      status: job.status,
      step: job.step,
      error: job.error?.message ?? null,
      items: (items.get(job.id) ?? []).map(item => endedItem(job, item)),
    }),
  )
  const isOver = found.every(job => TERMINAL.includes(job.status))
  const fates = rows.flatMap(row => row.items.map(({ fate }) => fate))
  const count = (fate: (typeof FATES)[number]) => fates.filter(each => each === fate).length
  return {
    batch: {
      id,
      createdAt: Math.min(...found.map(job => job.createdAt)),
      startedBy: first.startedBy,
      finishedAt: isOver ? Math.max(...found.map(job => job.finishedAt ?? 0)) : null,
    },
    rows,
    counts: Object.fromEntries(FATES.map(fate => [fate, count(fate)])) as Record<(typeof FATES)[number], number>,
  }
}
