import { z } from 'zod'
import { requireLevel } from '#platform/access/require-level.ts'
import { Problem } from '#platform/contract/problem.ts'
import { newId } from '#platform/db/id.ts'
import type { Handlers, RequestScope } from '#platform/http/handlers.ts'
import type { ScheduleAction } from './action.ts'
import { findAction, getCustomAction, listActions } from './actions.ts'
import type { Schedule, ScheduleTargets, schedules } from './contract.ts'
import { nextDue } from './due.ts'
import { checkInput, sealInput } from './input.ts'
import { runNow } from './run-schedule.ts'
import {
  changeSchedule,
  deleteSchedule,
  getSchedule,
  insertSchedule,
  listRecentJobs,
  listSchedules,
  type ScheduleRow,
} from './schedule-store.ts'
import { levelOf, showSchedules, showSkipped } from './show-schedule.ts'
import { checkTiming, nextTimes, panelTimeZone } from './times.ts'

const NEXT_RUNS = 5
const RECENT_JOBS = 20

const show = async (scope: RequestScope, id: string): Promise<Schedule> => {
  const [schedule] = await showSchedules(scope, [await getSchedule(scope.db, id)])
  if (!schedule) throw new Error('a schedule that is there was not shown')
  return schedule
}

/** The schedule, if this caller may change or run it. */
const getOwn = async (scope: RequestScope, id: string) => {
  const row = await getSchedule(scope.db, id)
  const action = await findAction(scope, row.action)
  requireLevel(scope.actor, levelOf(row, action), row.built_in ? 'a built-in schedule' : `“${action?.label}”`)
  return { row, action }
}

const wrong = (path: string, message: string, text: string) =>
  new Problem('validation_error', text, [{ in: 'body', path, message }])

const checkTargets = (action: ScheduleAction, targets: ScheduleTargets | undefined): string | null => {
  if (action.targets === 'none') {
    if (targets) throw wrong('targets', 'must be left out', `“${action.label}” is not about sites. Leave targets out.`)
    return null
  }
  const { all, servers, labels, sites } = targets ?? {}
  if (!all && !servers?.length && !labels?.length && !sites?.length)
    throw wrong('targets', 'must name at least one site', 'Choose the sites: all, or by server, label or name.')
  return JSON.stringify(targets)
}

type Change = Parameters<Handlers<typeof schedules>['scheduleUpdate']>[0]['body']

/** What is built in keeps its name and its work. */
const refuseBuiltIn = (row: ScheduleRow, { name, input, targets }: Change): void => {
  if (row.built_in === 0) return
  const path = Object.entries({ name, input, targets }).find(([, value]) => value !== undefined)?.[0]
  if (path)
    throw wrong(
      path,
      'is fixed for a built-in schedule',
      `${row.name} is built in: only cron, timezone and enabled can be changed.`,
    )
}

export const scheduleRoutes: Handlers<typeof schedules> = {
  async scheduleList(_, scope) {
    return { items: await showSchedules(scope, await listSchedules(scope.db)) }
  },

  async scheduleActionList(_, scope) {
    const actions = await listActions(scope)
    return {
      items: actions.map(({ action, label, description, level, targets, input, builtInOnly }) => ({
        action,
        label,
        description,
        level,
        targets,
        custom: !builtInOnly,
        schema: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
      })),
    }
  },

  async scheduleCreate({ body }, scope) {
    const action = await getCustomAction(scope, body.action)
    requireLevel(scope.actor, action.level, `“${action.label}”`)
    const { name, cron, timezone = panelTimeZone(), enabled } = body
    const now = scope.now()
    checkTiming({ cron, timezone }, now)
    const id = newId(now)
    await insertSchedule(scope.db, {
      id,
      built_in: 0,
      name,
      action: action.action,
      sealed_input: sealInput(scope.secrets, id, checkInput(action, body.input)),
      cron,
      timezone,
      targets: checkTargets(action, body.targets),
      enabled: enabled ? 1 : 0,
      since_at: now,
      last_due_at: null,
      last_run_at: null,
      created_at: now,
    })
    return show(scope, id)
  },

  async scheduleGet({ params }, scope) {
    const row = await getSchedule(scope.db, params.id)
    const first = row.enabled ? nextDue(row, scope.now()) : null
    return {
      ...(await show(scope, row.id)),
      nextRuns: first === null ? [] : [first, ...nextTimes(row, first, NEXT_RUNS - 1)],
      recentJobs: (await listRecentJobs(scope.db, row.id, RECENT_JOBS)).map(scope.jobs.show),
    }
  },

  async scheduleUpdate({ params, body }, scope) {
    const { row, action } = await getOwn(scope, params.id)
    refuseBuiltIn(row, body)
    if (!action && (body.input || body.targets))
      throw new Problem('conflict', 'This version of the panel no longer has this action. Delete the schedule.')
    const timing = { cron: body.cron ?? row.cron, timezone: body.timezone ?? row.timezone }
    const enabled = body.enabled ?? row.enabled === 1
    checkTiming(timing, scope.now())
    const isNewPlan = timing.cron !== row.cron || timing.timezone !== row.timezone || (enabled && !row.enabled)
    await changeSchedule(scope.db, row.id, {
      ...timing,
      enabled: enabled ? 1 : 0,
      ...(isNewPlan && { since_at: scope.now() }),
      ...(body.name !== undefined && { name: body.name }),
      ...(body.input && action && { sealed_input: sealInput(scope.secrets, row.id, checkInput(action, body.input)) }),
      ...(body.targets && action && { targets: checkTargets(action, body.targets) }),
    })
    return show(scope, row.id)
  },

  async scheduleDelete({ params }, scope) {
    const { row } = await getOwn(scope, params.id)
    if (row.built_in)
      throw new Problem('conflict', `${row.name} is built in and cannot be deleted. Disable it instead.`)
    await deleteSchedule(scope.db, row.id)
    return { ok: true }
  },

  async scheduleRun({ params }, scope) {
    const { row } = await getOwn(scope, params.id)
    const { jobs, targets } = await runNow(scope, row)
    return { jobs, skipped: showSkipped(targets) }
  },
}
