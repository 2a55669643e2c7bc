import { levelOf } from '#platform/access/actor.ts'
import { seesSite } from '#platform/access/require-sites.ts'
import type { Reply } from '#platform/contract/endpoint.ts'
import { TERMINAL } from '#platform/contract/job.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Handlers, RequestScope } from '#platform/http/handlers.ts'
import { reusable } from '#platform/http/reusable.ts'
import { findJob } from '#platform/jobs/job-store.ts'
import { listLogLines } from '#platform/jobs/log-store.ts'
import { showLines } from '#platform/jobs/show.ts'
import type { jobs } from './contract.ts'
import { jobSettings } from './settings.ts'
import { countByStatus, type JobFilter, listJobs } from './store.ts'

type JobPage = Reply<(typeof jobs)['jobList']>

/** Cleared whenever a job changes, so an open tab at rest costs a look-up. */
export const JOB_PAGES = 'job-pages'
/** A page of 200 jobs is a tenth of a megabyte; no one fills the memory by leafing through. */
const PAGES_KEPT = 50
const LOG_PAGE = 1000

const getJob = async (id: string, scope: RequestScope) => {
  const row = await findJob(scope.db, id)
  if (!row || !seesSite(scope.actor, row.site_slug))
    throw new Problem(
      'not_found',
      'There is no such job. Finished jobs are deleted after a while; list the jobs to see which are kept.',
    )
  return row
}

const readPage = async (filter: JobFilter, scope: RequestScope): Promise<JobPage> => {
  const { retentionDays } = await scope.settings.read(jobSettings)
  const counts = await countByStatus(scope.db, filter)
  const rows = await listJobs(scope.db, filter)
  const counted = filter.status ?? (Object.keys(counts) as (keyof typeof counts)[])
  const total = [...new Set(counted)].reduce((sum, status) => sum + counts[status], 0)
  return reusable({ items: rows.map(scope.jobs.show), total, counts, retentionDays })
}

export const jobRoutes: Handlers<typeof jobs> = {
  async jobList({ query }, scope) {
    const pages = scope.memo<JobPage>(JOB_PAGES, PAGES_KEPT)
    const key = `${levelOf(scope.actor)} ${JSON.stringify(query)}`
    const kept = pages.get(key)
    if (kept) return kept
    const page = await readPage(query, scope)
    pages.set(key, page)
    return page
  },

  async jobTypeList(_, scope) {
    const items = scope.jobs.types.map(({ type, label, description, category, internal, timeoutMs }) => ({
      type,
      label,
      description,
      category,
      internal: internal ?? false,
      timeoutMs,
    }))
    return { items }
  },

  async jobGet({ params, query }, scope) {
    const row = await getJob(params.id, scope)
    const lines = await listLogLines(scope.db, params.id, query.logAfter, LOG_PAGE)
    return {
      job: scope.jobs.showWhole(row),
      logs: showLines(lines, levelOf(scope.actor)),
      lastSeq: lines.at(-1)?.seq ?? query.logAfter,
    }
  },

  async jobCancel({ params }, scope) {
    const row = await getJob(params.id, scope)
    if (TERMINAL.includes(row.status)) {
      throw new Problem('conflict', `This job has already ended (${row.status}).`, {
        status: row.status,
      })
    }
    return { job: await scope.jobs.cancel(params.id) }
  },
}
