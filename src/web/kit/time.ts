const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const relativeFormat = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' })

/** `5m ago`. The panel's clock may be a little ahead of the browser's: nothing is ever in the future. */
export const relativeTime = (at: number, now: number): string => {
  const passed = Math.max(0, now - at)
  if (passed < MINUTE_MS) return 'just now'
  if (passed < HOUR_MS) return relativeFormat.format(-Math.floor(passed / MINUTE_MS), 'minute')
  if (passed < DAY_MS) return relativeFormat.format(-Math.floor(passed / HOUR_MS), 'hour')
  return relativeFormat.format(-Math.floor(passed / DAY_MS), 'day')
}

/** In the zone the person chose; in the browser's own where they chose none, or one it does not know. */
export const formatIn = (timeZone: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  try {
    return new Intl.DateTimeFormat('en', { ...options, ...(timeZone && { timeZone }) })
  } catch {
    return new Intl.DateTimeFormat('en', options)
  }
}

const FULL = { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' } as const
const TO_MINUTE = { ...FULL, timeStyle: 'short' } as const

/** Kept, since making one takes longer than drawing a row. */
const formatter = (options: Intl.DateTimeFormatOptions) => {
  const formats = new Map<string | undefined, Intl.DateTimeFormat>()
  return (at: number, timeZone: string | undefined): string => {
    const format = formats.get(timeZone) ?? formatIn(timeZone, options)
    formats.set(timeZone, format)
    return format.format(at)
  }
}

/** A point in time, to the second. */
export const fullTime = formatter(FULL)

/** Where seconds say nothing: `Nov 17, 2026, 03:00`. */
export const minuteTime = formatter(TO_MINUTE)

/** `Nov 17, 2026`. */
export const dayOnly = formatter({ dateStyle: 'medium' })

/** `03:00`. */
export const clockTime = formatter({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** `3 min 5 s`, never more than two units. */
export const duration = (ms: number): string => {
  if (ms < SECOND_MS) return 'under 1 s'
  const seconds = Math.floor(ms / SECOND_MS)
  if (ms < MINUTE_MS) return `${seconds} s`
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ${seconds % 60} s`
  return `${Math.floor(ms / HOUR_MS)} h ${Math.floor((ms % HOUR_MS) / MINUTE_MS)} min`
}
