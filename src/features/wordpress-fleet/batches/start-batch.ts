import { getSite, siteToChange } from '#features/sites/index.ts'
import { startTask, wpBulkTask } from '#features/wordpress/index.ts'
import type { Reply, Request } from '#platform/contract/endpoint.ts'
import { Problem } from '#platform/contract/problem.ts'
import { newId } from '#platform/db/id.ts'
import type { Scope } from '#platform/scope.ts'
import type { wordpressFleet } from '../contract.ts'

type Body = Required<Request<typeof wordpressFleet.wpFleetBulk>['body']>
type Answer = Reply<typeof wordpressFleet.wpFleetBulk>

/** One job for each site. A name that no site has starts nothing; a site that can't take a job now is left out and named. */
export const startBatch = async (scope: Scope, { targets, healthCheck, backupFirst }: Body): Promise<Answer> => {
  for (const { siteSlug } of targets) await getSite(scope.db, siteSlug)
  const batchId = newId()
  const answer: Answer = { batchId, jobs: [], skipped: [] }
  for (const { siteSlug, ops } of targets) {
    try {
      const site = await siteToChange(scope, siteSlug, ['running'])
      const task = { type: wpBulkTask, ops, healthCheck, backupFirst, options: { batchId } }
      answer.jobs.push(await startTask(scope, site, task))
    } catch (error) {
      if (!(error instanceof Problem && (error.code === 'conflict' || error.code === 'job_conflict'))) throw error
      answer.skipped.push({ siteSlug, reason: error.message })
    }
  }
  if (answer.jobs.length === 0)
    throw new Problem('conflict', answer.skipped[0]?.reason ?? 'No site can be changed now.', {
      skipped: answer.skipped,
    })
  return answer
}
