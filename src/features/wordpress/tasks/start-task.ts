import type { SiteRow } from '#features/sites/index.ts'
import type { Job } from '#platform/contract/job.ts'
import type { EnqueueOptions } from '#platform/jobs/jobs.ts'
import type { Scope } from '#platform/scope.ts'
import type { TaskOp } from './contract.ts'
import { keepTaskItems } from './task-store.ts'
import type { wpBulkTask } from './wp.bulk-task.ts'

interface Started {
  readonly type: typeof wpBulkTask
  readonly ops: readonly TaskOp[]
  readonly healthCheck?: boolean
  readonly backupFirst?: boolean
  readonly options?: Omit<EnqueueOptions, 'on'>
}

/** Its items are known as soon as the job is. */
export const startTask = (
  scope: Pick<Scope, 'db' | 'jobs'>,
  site: SiteRow,
  { type, ops, healthCheck = true, backupFirst = false, options }: Started,
): Promise<Job> =>
  scope.db.transaction().execute(async on => {
    const input = { slug: site.slug, serverId: site.server_id, ops: [...ops], healthCheck, backupFirst }
    const job = await scope.jobs.enqueue(type, input, { ...options, on })
    const waiting = { fate: 'waiting', from: null, to: null, reason: null } as const
    await keepTaskItems(
      on,
      job.id,
      ops.map(({ kind, slug = 'core', action }) => ({ kind, slug, action, ...waiting })),
    )
    return job
  })
