import type { BuiltInSchedule, ScheduleAction } from './action.ts'
import type { ScheduleTargets } from './contract.ts'

declare module '#platform/events/events.ts' {
  interface Hooks {
    /** What can schedules do, and which are built in? */
    scheduleActions: {
      payload: Record<string, never>
      answer: { actions: readonly ScheduleAction[]; builtIn: readonly BuiltInSchedule[] }
    }
    /** Which sites do these targets stand for now? One answer, by slug. */
    scheduledSites: { payload: ScheduleTargets; answer: readonly string[] }
  }
}
