import type { Background } from '#platform/feature.ts'
import type { Scope } from '#platform/scope.ts'
import { listActions, listBuiltIn } from './actions.ts'
import { ScheduleTargets } from './contract.ts'
import { nextDue } from './due.ts'
import { sealInput } from './input.ts'
import { continueRun, runDue } from './run-schedule.ts'
import { listRunsWithWaiting } from './run-store.ts'
import { deleteBuiltInExcept, findSchedule, forgetFuture, insertBuiltIn, listEnabled } from './schedule-store.ts'
import { panelTimeZone } from './times.ts'

const LOOK_EVERY_MS = 10_000

/** Starts what is due, in every panel process; the database decides which of them starts it. */
export const scheduler = async (scope: Scope): Promise<Background> => {
  await ensureBuiltIn(scope)
  let looking: Promise<void> | undefined
  const look = () => {
    looking ??= startDue(scope)
      .catch(error => scope.log.error({ err: error }, 'schedules could not be started; trying again shortly'))
      .finally(() => {
        looking = undefined
      })
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      await looking
    },
  }
}

/** One schedule that fails does not keep the others from running. */
export const startDue = async (scope: Scope): Promise<void> => {
  const tell = (scheduleId: string) => (error: unknown) =>
    scope.log.error({ err: error, scheduleId }, 'a schedule could not be run; trying again shortly')
  await forgetFuture(scope.db, scope.now())
  for (const run of await listRunsWithWaiting(scope.db)) {
    const schedule = await findSchedule(scope.db, run.schedule_id)
    if (schedule) await continueRun(scope, schedule, run).catch(tell(schedule.id))
  }
  for (const schedule of await listEnabled(scope.db)) {
    const dueAt = nextDue(schedule, scope.now())
    if (dueAt !== null && dueAt <= scope.now()) await runDue(scope, schedule, dueAt).catch(tell(schedule.id))
  }
}

const ALL_SITES = JSON.stringify(ScheduleTargets.parse({ all: true }))

const ensureBuiltIn = async (scope: Scope): Promise<void> => {
  const builtIn = await listBuiltIn(scope)
  const onSites = new Set((await listActions(scope)).filter(({ targets }) => targets === 'sites').map(of => of.action))
  await deleteBuiltInExcept(
    scope.db,
    builtIn.map(({ key }) => key),
  )
  const now = scope.now()
  for (const { key, name, action, input, cron, enabled } of builtIn)
    await insertBuiltIn(scope.db, {
      id: key,
      built_in: 1,
      name,
      action,
      sealed_input: sealInput(scope.secrets, key, input ?? {}),
      cron,
      timezone: panelTimeZone(),
      targets: onSites.has(action) ? ALL_SITES : null,
      enabled: enabled ? 1 : 0,
      since_at: now,
      last_due_at: null,
      last_run_at: null,
      created_at: now,
    })
}
