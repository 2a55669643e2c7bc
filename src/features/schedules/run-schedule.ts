import type { Job } from '#platform/contract/job.ts'
import { Problem } from '#platform/contract/problem.ts'
import { newId } from '#platform/db/id.ts'
import type { Scope } from '#platform/scope.ts'
import type { ScheduleAction, Started } from './action.ts'
import { findAction } from './actions.ts'
import { ScheduleTargets } from './contract.ts'
import { inputOf } from './input.ts'
import { hasRunFor, insertRun, listRunTargets, type RunRow, type RunTargetRow, settleTarget } from './run-store.ts'
import { claimDue, type ScheduleRow } from './schedule-store.ts'

/** How long a site that is busy with another job is tried again. */
const KEEP_TRYING_MS = 3_600_000

/** Starts a run that is due. Nothing happens when another panel has started it. */
export const runDue = async (scope: Scope, schedule: ScheduleRow, dueAt: number): Promise<void> => {
  const targets = await targetsOf(scope, schedule)
  const run = newRun(scope, schedule, dueAt)
  const claimed = await scope.db.transaction().execute(async trx => {
    if (!(await claimDue(trx, schedule.id, dueAt, scope.now()))) return false
    // A clock that was ahead has come here before.
    if (await hasRunFor(trx, schedule.id, dueAt)) return false
    await insertRun(trx, run, targets)
    return true
  })
  if (claimed) await continueRun(scope, schedule, run)
}

/** Runs it now, and leaves its plan as it is. */
export const runNow = async (
  scope: Scope,
  schedule: ScheduleRow,
): Promise<{ jobs: Job[]; targets: RunTargetRow[] }> => {
  const targets = await targetsOf(scope, schedule)
  const run = newRun(scope, schedule, scope.now())
  await scope.db.transaction().execute(trx => insertRun(trx, run, targets))
  const jobs = await continueRun(scope, schedule, run)
  return { jobs, targets: await listRunTargets(scope.db, [run.id]) }
}

const newRun = (scope: Scope, schedule: ScheduleRow, dueAt: number): RunRow => ({
  id: newId(scope.now()),
  schedule_id: schedule.id,
  due_at: dueAt,
  started_at: scope.now(),
})

const targetsOf = async (scope: Scope, { targets }: ScheduleRow): Promise<readonly string[]> =>
  targets === null ? [''] : scope.events.ask(scope, 'scheduledSites', ScheduleTargets.parse(JSON.parse(targets)))

/** Continues with what waits: after a crash, or because a site was busy. Each target gets one job, however often it is requested. */
export const continueRun = async (scope: Scope, schedule: ScheduleRow, run: RunRow): Promise<Job[]> => {
  const action = await findAction(scope, schedule.action)
  const jobs: Job[] = []
  for (const target of await listRunTargets(scope.db, [run.id])) {
    if (target.outcome !== 'waiting') continue
    const started = action ? await startOne(scope, { action, schedule, run, target: target.target }) : NO_ACTION
    if (!started) continue
    if ('job' in started) jobs.push(started.job)
    const reason = 'skipped' in started ? started.skipped : null
    await settleTarget(scope.db, target, reason === null ? 'queued' : 'skipped', reason)
  }
  return jobs
}

const NO_ACTION: Started = { skipped: 'This version of the panel no longer has this action.' }

interface OneTarget {
  readonly action: ScheduleAction
  readonly schedule: ScheduleRow
  readonly run: RunRow
  readonly target: string
}

/** Undefined when it has to wait. */
const startOne = async (scope: Scope, one: OneTarget): Promise<Started | undefined> => {
  const { action, schedule, run, target } = one
  const options = {
    scheduleId: schedule.id,
    batchId: run.id,
    onceKey: `${run.id}:${target}`,
    ...(scope.actor.kind === 'system' && { origin: 'schedule' as const }),
  }
  try {
    const call = { input: action.input.parse(inputOf(scope.secrets, schedule)), options }
    return action.targets === 'sites' ? await action.start(scope, target, call) : await action.start(scope, call)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code !== 'job_conflict') return { skipped: error.message }
    if (scope.now() - run.started_at < KEEP_TRYING_MS) return undefined
    return { skipped: 'It was busy with another job for an hour.' }
  }
}
