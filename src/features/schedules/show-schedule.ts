import { JOB_STATUSES, type JobStatus } from '#platform/contract/job.ts'
import type { Scope } from '#platform/scope.ts'
import type { ScheduleAction } from './action.ts'
import { listActions } from './actions.ts'
import { type Schedule, ScheduleTargets } from './contract.ts'
import { nextDue } from './due.ts'
import { inputOf } from './input.ts'
import { countJobs, listLastRuns, listRunTargets, type RunRow, type RunTargetRow } from './run-store.ts'
import type { ScheduleRow } from './schedule-store.ts'

export const showSchedules = async (scope: Scope, rows: readonly ScheduleRow[]): Promise<Schedule[]> => {
  const actions = new Map((await listActions(scope)).map(action => [action.action, action]))
  const runs = await listLastRuns(scope.db)
  const runIds = [...runs.values()].map(run => run.id)
  const targets = Map.groupBy(await listRunTargets(scope.db, runIds), row => row.run_id)
  const counts = await countJobs(scope.db, runIds)
  return rows.map(row => {
    const run = runs.get(row.id)
    return {
      ...showRow(scope, row, actions.get(row.action)),
      lastRun: run ? showRun(run, targets.get(run.id) ?? [], counts.get(run.id)) : null,
    }
  })
}

const showRow = (scope: Scope, row: ScheduleRow, action: ScheduleAction | undefined): Omit<Schedule, 'lastRun'> => ({
  id: row.id,
  builtIn: row.built_in === 1,
  name: row.name,
  action: row.action,
  actionLabel: action?.label ?? row.action,
  level: levelOf(row, action),
  input: inputOf(scope.secrets, row),
  cron: row.cron,
  timezone: row.timezone,
  targets: row.targets === null ? null : ScheduleTargets.parse(JSON.parse(row.targets)),
  enabled: row.enabled === 1,
  nextRunAt: row.enabled === 1 ? nextDue(row, scope.now()) : null,
  createdAt: row.created_at,
})

/** What is built in belongs to the panel. */
export const levelOf = (row: Pick<ScheduleRow, 'built_in'>, action: ScheduleAction | undefined) =>
  row.built_in === 1 ? 'full' : (action?.level ?? 'manage')

const showRun = (run: RunRow, targets: readonly RunTargetRow[], counts = new Map<JobStatus, number>()) => ({
  batchId: run.id,
  dueAt: run.due_at,
  startedAt: run.started_at,
  jobs: Object.fromEntries(JOB_STATUSES.map(status => [status, counts.get(status) ?? 0])) as Record<JobStatus, number>,
  waiting: targets.filter(({ outcome }) => outcome === 'waiting').map(({ target }) => target),
  skipped: showSkipped(targets),
})

export const showSkipped = (targets: readonly RunTargetRow[]) =>
  targets
    .filter(({ outcome }) => outcome === 'skipped')
    .map(({ target, reason }) => ({ siteSlug: target || null, reason: reason ?? '' }))
