import type { Tone } from '#web/kit/Status.tsx'
import { formatIn } from '#web/kit/time.ts'
import type { SiteFtp } from '../contract.ts'

const DAY_MS = 86_400_000
const WEEK_DAYS = 7

export const statusWords: Record<SiteFtp['status'], { tone: Tone; word: string }> = {
  off: { tone: 'idle', word: 'Off' },
  starting: { tone: 'busy', word: 'Starting' },
  running: { tone: 'good', word: 'Running' },
  stopping: { tone: 'busy', word: 'Stopping' },
  failed: { tone: 'bad', word: "Couldn't start" },
  unreachable: { tone: 'bad', word: 'Server unreachable' },
}

/** What a person should know before they hand out a login; none when all is as shown. */
export const noteOf = ({ status, paused, applied, enabled }: SiteFtp): string | undefined => {
  if (!enabled) return undefined
  if (status === 'unreachable') return "The server doesn't respond. Changes apply when it is back."
  if (status === 'failed') return "The FTP service couldn't start. Fleetpress tries again every minute."
  if (status === 'starting') return 'The FTP service is starting. On a new server this takes a few minutes.'
  if (paused) return 'Logins are refused while the site is stopped or being moved.'
  return applied ? undefined : 'The latest change is being applied.'
}

/** `Friday, Nov 20, 18:00` within a week, else with its year. */
export const untilText = (at: number, now: number, timeZone: string | undefined): string => {
  const isNear = at - now < WEEK_DAYS * DAY_MS
  const day = isNear
    ? ({ weekday: 'long', month: 'short', day: 'numeric' } as const)
    : ({ month: 'short', day: 'numeric', year: 'numeric' } as const)
  return formatIn(timeZone, { ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at)
}

/** `in 3 days`, rounded up. */
export const leftText = (at: number, now: number): string => {
  const days = Math.ceil((at - now) / DAY_MS)
  return days <= 1 ? 'within a day' : `in ${days} days`
}
