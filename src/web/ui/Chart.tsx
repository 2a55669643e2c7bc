import { useComputedColorScheme } from '@mantine/core'
import { lazy, Suspense } from 'react'
import classes from './Chart.module.css'
import type { ChartSeries } from './ChartPlot.tsx'

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

const lastOf = (values: readonly (number | null)[]) => values.findLast(value => value !== null)

/** Values over time. The library behind it is fetched when the first chart is drawn. */
export const Chart = ({ title, times, series, format, max }: ChartProps) => {
  const theme = useComputedColorScheme()
  return (
    <figure className={classes.chart}>
      <figcaption className={classes.caption}>
        <span className={classes.title}>{title}</span>
        {series.map(({ label, tone, values }) => {
          const last = lastOf(values)
          return (
            <span key={label} className={classes.key} data-tone={tone}>
              {label} <strong>{last === undefined || last === null ? 'unknown' : format(last)}</strong>
            </span>
          )
        })}
      </figcaption>
      <div className={classes.plot}>
        {times.length < 2 ? (
          <p className={classes.none}>Too little was measured in this time. A value comes every minute.</p>
        ) : (
          <Suspense fallback={null}>
            <ChartPlot key={theme} times={times} series={series} format={format} {...(max !== undefined && { max })} />
          </Suspense>
        )}
      </div>
    </figure>
  )
}
