import { Status } from '#web/kit/Status.tsx'
import { formatIn, fullTime } from '#web/kit/time.ts'
import { useTimeZone } from '#web/kit/time-zone.ts'

const DAY_MS = 86_400_000
const SOON_DAYS = 14

const wordFor = (days: number) => (days === 1 ? 'Within a day' : `In ${days} days`)

/** When a key stops working; marked from two weeks before. */
export const Expiry = ({ at, now }: { at: number | null; now: number }) => {
  const timeZone = useTimeZone()
  if (at === null) return 'Never'
  const days = Math.ceil((at - now) / DAY_MS)
  return (
    <time dateTime={new Date(at).toISOString()} title={fullTime(at, timeZone)}>
      {days <= 0 ? (
        <Status tone="bad" word="Expired" />
      ) : days <= SOON_DAYS ? (
        <Status tone="warning" word={wordFor(days)} />
      ) : (
        formatIn(timeZone, { dateStyle: 'medium' }).format(at)
      )}
    </time>
  )
}
