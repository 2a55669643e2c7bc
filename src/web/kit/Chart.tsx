import { useComputedColorScheme } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import classes from './Chart.module.css'
import type { ChartSeries } from './ChartPlot.tsx'
import { Skeleton } from './Skeleton.tsx'
import { fullTime } from './time.ts'
import { useTimeZone } from './time-zone.ts'

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
  /** The values are counts: the whole period is said, not the interval that has just begun. */
  counts?: boolean
}

/** As high as a chart will be. */
export const ChartSkeleton = () => <Skeleton height="15.25rem" />

type Values = ChartSeries['values']

const lastOf = (values: Values) => values.findLast(value => value !== null)

const sumOf = (values: Values) => values.reduce((sum: number, value) => sum + (value ?? 0), 0)

/** Values over time: the latest or their sum in words, or those under the pointer. The library behind it is fetched when the first chart is drawn. */
export const Chart = ({ title, times, series, format, max, counts = false }: ChartProps) => {
  const theme = useComputedColorScheme()
  const timeZone = useTimeZone()
  const [pointed, setPointed] = useState<number | null>(null)
  const inWords = counts ? sumOf : lastOf
  const pointedAt = pointed === null ? undefined : times[pointed]
  return (
    <figure className={classes.chart}>
      <figcaption className={classes.caption}>
        <span className={classes.title}>{title}</span>
        {series.map(({ label, tone, values }) => {
          const value = pointed === null ? inWords(values) : values[pointed]
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
          <p className={classes.none}>Not enough data for this period yet. A new value arrives every minute.</p>
        ) : (
          <Suspense fallback={null}>
            <ChartPlot
              key={theme}
              {...{ times, series, format, timeZone }}
              isOpen={counts}
              {...(max !== undefined && { max })}
              onPoint={setPointed}
            />
          </Suspense>
        )}
      </div>
    </figure>
  )
}
