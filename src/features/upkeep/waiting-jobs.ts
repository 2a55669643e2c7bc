import type { JobRow } from '#platform/jobs/job-store.ts'
import { serverLane } from '#platform/jobs/lane.ts'
import { listWaitingJobs } from '#platform/jobs/waiting-store.ts'
import type { Scope } from '#platform/scope.ts'
import type { WaitingJob } from './contract.ts'

/** Jobs that still have something to finish or undo on the server, oldest first. */
export const listWaitingOn = async ({ db }: Pick<Scope, 'db'>, serverId: number): Promise<WaitingJob[]> => {
  const rows = (await listWaitingJobs(db)).filter(row => leftOn(row) === serverLane(serverId))
  return rows.map(({ id, label, site_slug, step, error_message }) => ({
    jobId: id,
    label,
    siteSlug: site_slug,
    step,
    problem: error_message,
  }))
}

/** A move that is undone has left its copy on the second of its servers. */
const leftOn = ({ lanes, undoing }: JobRow): string | undefined => {
  const all = JSON.parse(lanes) as string[]
  return undoing === 1 ? all.at(-1) : all[0]
}
