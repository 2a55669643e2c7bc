import { useComputedColorScheme } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTimeZone } from '#web/session.ts'
import classes from './Chart.module.css'
import type { ChartSeries } from './ChartPlot.tsx'
import { Skeleton } from './Skeleton.tsx'
import { fullTime } from './time.ts'

const ChartPlot = lazy(async () => ({ default: (await import('./ChartPlot.tsx')).ChartPlot }))

interface ChartProps {
  /** What it shows, for readers and as its heading. */
  title: string
  /** Unix milliseconds, oldest first. */
  times: readonly number[]
  series: readonly ChartSeries[]
  /** How a value is written: `bytesText`, `percentText`. */
  format: (value: number) => string
  /** What the full height stands for; the largest value when left out. */
  max?: number
}

/** As high as a chart will be. */
export const ChartSkeleton = () => <Skeleton height="15.25rem" />

const lastOf = (values: readonly (number | null)[]) => values.findLast(value => value !== null)

/** Values over time: the latest in words, or those under the pointer. The library behind it is fetched when the first chart is drawn. */
export const Chart = ({ title, times, series, format, max }: ChartProps) => {
  const theme = useComputedColorScheme()
  const timeZone = useTimeZone()
  const [pointed, setPointed] = useState<number | null>(null)
  const pointedAt = pointed === null ? undefined : times[pointed]
  return (
    <figure className={classes.chart}>
      <figcaption className={classes.caption}>
        <span className={classes.title}>{title}</span>
        {series.map(({ label, tone, values }) => {
          const value = pointed === null ? lastOf(values) : values[pointed]
          return (
            <span key={label} className={classes.key} data-tone={tone}>
              {label} <strong>{value === undefined || value === null ? 'unknown' : format(value)}</strong>
            </span>
          )
        })}
      </figcaption>
      <div className={classes.plot}>
        {pointedAt !== undefined && <span className={classes.time}>{fullTime(pointedAt, timeZone)}</span>}
        {times.length < 2 ? (
          <p className={classes.none}>Too little was measured in this time. A value comes every minute.</p>
        ) : (
          <Suspense fallback={null}>
            <ChartPlot
              key={theme}
              {...{ times, series, format, timeZone }}
              {...(max !== undefined && { max })}
              onPoint={setPointed}
            />
          </Suspense>
        )}
      </div>
    </figure>
  )
}
