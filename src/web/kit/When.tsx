import { fullTime, relativeTime } from './time.ts'
import { useTimeZone } from './time-zone.ts'

/** How long ago something was; the exact time, in the person's zone, under the pointer. */
export const When = ({ at, now }: { at: number; now: number }) => {
  const timeZone = useTimeZone()
  return (
    <time dateTime={new Date(at).toISOString()} title={fullTime(at, timeZone)}>
      {relativeTime(at, now)}
    </time>
  )
}
