import { formatIn } from '#web/kit/time.ts'

const DAY_MS = 86_400_000
const WEEK_DAYS = 7
const MIDNIGHT = '00:00'

/** `Friday, Nov 20, 18:00` within a week, else with its year. Midnight is the end of the day that people chose. */
export const untilText = (at: number, now: number, timeZone: string | undefined): string => {
  const isNear = at - now < WEEK_DAYS * DAY_MS
  const day = isNear
    ? ({ weekday: 'long', month: 'short', day: 'numeric' } as const)
    : ({ month: 'short', day: 'numeric', year: 'numeric' } as const)
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  if (formatIn(timeZone, time).format(at) === MIDNIGHT) return `End of ${formatIn(timeZone, day).format(at - 1)}`
  return formatIn(timeZone, { ...day, ...time }).format(at)
}

/** `in 3 days`, rounded up. */
export const leftText = (at: number, now: number): string => {
  const days = Math.ceil((at - now) / DAY_MS)
  return days <= 1 ? 'within a day' : `in ${days} days`
}
