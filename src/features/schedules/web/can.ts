import type { Actions } from '#web/client/can.ts'
import { lasting } from '#web/client/can.ts'
import { type Schedule, schedules } from '../contract.ts'

/** What can be done to a schedule, and when. */
export const scheduleActions: Actions<typeof schedules, Schedule> = {
  contract: schedules,
  conditions: {
    scheduleDelete: [({ builtIn }) => (builtIn ? lasting("Built-in schedules can't be deleted.") : undefined)],
  },
}
