import { Cron } from 'croner'
import { Problem } from '#platform/contract/problem.ts'

export interface Timing {
  readonly cron: string
  readonly timezone: string
}

/** How far clocks are set back anywhere in the world. */
const SET_BACK_MS = [30, 60, 120].map(minutes => minutes * 60_000)

/** The first time after `after` (all unix milliseconds) that the schedule names; null if there is none. */
export const nextTime = ({ cron, timezone }: Timing, after: number): number | null => {
  const pattern = new Cron(cron, { timezone, mode: '5-part' })
  // The night the clocks are set back has an hour twice: who names an hour means one of them.
  const namesHours = !cron.split(' ')[1]?.startsWith('*')
  let next = pattern.nextRun(new Date(after))
  if (namesHours) while (next && isRepeated(next.getTime(), timezone)) next = pattern.nextRun(next)
  return next?.getTime() ?? null
}

export const nextTimes = (timing: Timing, after: number, count: number): number[] => {
  const times: number[] = []
  let last: number | null = after
  while (times.length < count) {
    last = nextTime(timing, last)
    if (last === null) break
    times.push(last)
  }
  return times
}

const isRepeated = (time: number, timezone: string): boolean => {
  const clock = new Intl.DateTimeFormat('en', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' })
  return SET_BACK_MS.some(by => clock.format(time - by) === clock.format(time))
}

/** Refuses what can never run. */
export const checkTiming = (timing: Timing, now: number): void => {
  refuseUnlessZone(timing.timezone)
  try {
    if (nextTime(timing, now) !== null) return
  } catch {
    throw wrong('cron', 'must be five cron fields, such as 0 3 * * *')
  }
  throw wrong('cron', 'names a time that never comes')
}

const refuseUnlessZone = (timeZone: string): void => {
  try {
    Intl.DateTimeFormat('en', { timeZone })
  } catch {
    throw wrong('timezone', 'must be a time zone such as Europe/Berlin')
  }
}

const wrong = (path: 'cron' | 'timezone', message: string) =>
  new Problem('validation_error', `${path === 'cron' ? 'Cron' : 'Time zone'} ${message}.`, [
    { in: 'body', path, message },
  ])

/** That of the machine the panel runs on. */
export const panelTimeZone = (): string => new Intl.DateTimeFormat('en').resolvedOptions().timeZone
