import type { Site } from '#features/sites/contract.ts'
import { bytesText, percentText } from '#web/kit/bytes.ts'
import { Sparkline } from '#web/kit/Sparkline.tsx'
import classes from './SiteUse.module.css'
import { useLastHour } from './use-last-hour.ts'
import { useRestsInView } from './use-rests-in-view.ts'

interface SiteUseProps {
  site: Site
  use: { cpuShare: number | null; memBytes: number | null; memLimitBytes: number | null } | undefined
  /** When the sites were read. */
  now: number
}

/** Below this a line stays near the ground: what does next to nothing should look like it. */
const LITTLE_CPU = 0.05

const Lines = ({ site: { slug, title }, use, now }: SiteUseProps) => {
  const { data: points = [] } = useLastHour(slug, now)
  if (points.length === 0) return null
  const cpu = points.map(point => point.cpuShare)
  const memory = points.map(point => point.memBytes)
  const limit = use?.memLimitBytes
  return (
    <div className={classes.lines}>
      <Sparkline
        label={`CPU of ${title} in the last hour`}
        values={cpu}
        max={Math.max(LITTLE_CPU, ...cpu.map(Number))}
      />
      <Sparkline label={`Memory of ${title} in the last hour`} values={memory} {...(limit && { max: limit })} />
    </div>
  )
}

/** CPU and memory of a site: now as figures, the last hour as lines. */
export const SiteUse = (props: SiteUseProps) => {
  const { ref, rests } = useRestsInView<HTMLDivElement>()
  const { cpuShare = null, memBytes = null } = props.use ?? {}
  return (
    <div ref={ref} className={classes.use}>
      <div className={classes.figures}>
        <div>{cpuShare === null ? '–' : percentText(cpuShare)}</div>
        <div>{memBytes === null ? '–' : bytesText(memBytes)}</div>
      </div>
      {rests && <Lines {...props} />}
    </div>
  )
}
