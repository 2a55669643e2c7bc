import { useSession } from '#web/session.ts'
import { fullTime, relativeTime } from './time.ts'

/** How long ago something was; the exact time, in the person's zone, under the pointer. */
export const When = ({ at, now }: { at: number; now: number }) => {
  const { data: session } = useSession()
  return (
    <time dateTime={new Date(at).toISOString()} title={fullTime(at, session?.admin.preferences.timeZone)}>
      {relativeTime(at, now)}
    </time>
  )
}
