import type { Scope } from '#platform/scope.ts'
import { panelSnapshot } from './jobs/panel.snapshot.ts'
import { systemHousekeeping } from './jobs/system.housekeeping.ts'

const LOOK_EVERY_MS = 60_000
const NIGHTLY_HOUR = 3

/** Whether the night's work of this day is due, and the name it goes by. Days begin and end as on this machine. */
export const dueNight = (now: Date): string | undefined => {
  const [year, month, day] = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
  if (now.getHours() < NIGHTLY_HOUR) return undefined
  return [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
}

/**
 * Asks for the night's work once a day, at three or when the panel is next up. The job's once-key keeps several panel
 * processes, and a clock that steps back, from asking twice.
 */
export const nightly = (scope: Scope) => {
  const look = async () => {
    const day = dueNight(new Date(scope.now()))
    if (day === undefined) return
    await scope.jobs.enqueue(
      panelSnapshot,
      {},
      { origin: 'schedule', scheduleId: 'panel-snapshot', onceKey: `panel-snapshot:${day}` },
    )
    await scope.jobs.enqueue(
      systemHousekeeping,
      {},
      { origin: 'schedule', scheduleId: 'housekeeping', onceKey: `housekeeping:${day}` },
    )
  }
  const timer = setInterval(
    () => void look().catch(error => scope.log.error({ err: error }, 'the nightly work could not be queued')),
    LOOK_EVERY_MS,
  )
  return { stop: () => clearInterval(timer) }
}
