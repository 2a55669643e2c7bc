import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import type { BuiltInSchedule, ScheduleAction } from './action.ts'

export const listActions = async (scope: Scope): Promise<ScheduleAction[]> =>
  (await scope.events.raise(scope, 'scheduleActions', {})).flatMap(({ actions }) => actions)

export const listBuiltIn = async (scope: Scope): Promise<BuiltInSchedule[]> =>
  (await scope.events.raise(scope, 'scheduleActions', {})).flatMap(({ builtIn }) => builtIn)

/** Undefined for a schedule whose action this version of the panel no longer has. */
export const findAction = async (scope: Scope, name: string): Promise<ScheduleAction | undefined> =>
  (await listActions(scope)).find(({ action }) => action === name)

export const getCustomAction = async (scope: Scope, name: string): Promise<ScheduleAction> => {
  const custom = (await listActions(scope)).filter(({ builtInOnly }) => !builtInOnly)
  const found = custom.find(({ action }) => action === name)
  if (found) return found
  const message = `must be one of ${custom.map(({ action }) => action).join(', ')}`
  throw new Problem('validation_error', `Action ${message}.`, [{ in: 'body', path: 'action', message }])
}
