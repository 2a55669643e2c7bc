import 'uplot/dist/uPlot.min.css'
import { memo, useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { bytesText, rateText } from './bytes.ts'
import classes from './Chart.module.css'
import { countText } from './counted.ts'
import { formatIn } from './time.ts'

const COLORS = { first: '--fp-busy', second: '--fp-good', bad: '--fp-bad' } as const

export interface ChartSeries {
  label: string
  /** One for each time; null where nothing was measured. */
  values: readonly (number | null)[]
  tone: keyof typeof COLORS
}

interface ChartPlotProps {
  times: readonly number[]
  series: readonly ChartSeries[]
  format: (value: number) => string
  max?: number
  /** The last interval has only begun: the line to it is dashed. */
  isOpen: boolean
  timeZone: string | undefined
  /** Told the place of the time under the pointer; null when it leaves. */
  onPoint: (index: number | null) => void
}

const HEIGHT_PX = 180
const AXIS_PX = 64
const TIMES_PX = 30
/** Halves and doubles of 1024, so that the lines of a grid have round names. */
const BYTE_STEPS = Array.from({ length: 50 }, (_, power) => 2 ** power)
/** 1, 2, 5, 10, 20, 50, …: there is no half of a request. */
const WHOLE_STEPS = Array.from({ length: 13 }, (_, power) => [1, 2, 5].map(step => step * 10 ** power)).flat()
const STEPS = new Map([
  [bytesText, BYTE_STEPS],
  [rateText, BYTE_STEPS],
  [countText, WHOLE_STEPS],
])

/** The time of day, and the day where one begins. */
const timesIn = (timeZone: string | undefined) => {
  const clock = formatIn(timeZone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const day = formatIn(timeZone, { day: 'numeric', month: 'short' })
  return (_: uPlot, seconds: number[]): string[] =>
    seconds.map(at => {
      const time = clock.format(at * 1000)
      return time === '00:00' ? day.format(at * 1000) : time
    })
}

const colorOf = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const DASHED = [4, 4]

const linesOf = ({ series, isOpen }: ChartPlotProps): uPlot.Series[] =>
  series.flatMap(({ label, tone }) => {
    const line = { label, stroke: colorOf(COLORS[tone]), width: 1.5, points: { show: false } }
    return isOpen ? [line, { ...line, dash: DASHED }] : [line]
  })

const optionsOf = (props: ChartPlotProps, width: number): uPlot.Options => {
  const { format, max, timeZone, onPoint } = props
  const zone = formatIn(timeZone, {}).resolvedOptions().timeZone
  const grid = { stroke: colorOf('--fp-line'), width: 1 }
  const incrs = STEPS.get(format)
  const values = (_: uPlot, splits: number[]) => splits.map(format)
  const axis = { stroke: colorOf('--mantine-color-dimmed'), font: '11px system-ui', grid, ticks: { show: false } }
  return {
    width,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, setScale: false } },
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
    tzDate: seconds => uPlot.tzDate(new Date(seconds * 1000), zone),
    scales: { y: { range: (_, __, top) => [0, max ?? (top || 1) * 1.1] } },
    axes: [
      { ...axis, size: TIMES_PX, values: timesIn(timeZone) },
      { ...axis, ...(incrs && { incrs }), size: AXIS_PX, values },
    ],
    series: [{}, ...linesOf(props)],
  }
}

/** What is complete, and the way from there to what has only begun. */
const split = (values: ChartSeries['values']): (number | null)[][] => [
  values.map((value, at) => (at < values.length - 1 ? value : null)),
  values.map((value, at) => (at >= values.length - 2 ? value : null)),
]

const dataOf = ({ times, series, isOpen }: ChartPlotProps): uPlot.AlignedData => [
  times.map(at => at / 1000),
  ...series.flatMap(({ values }) => (isOpen ? split(values) : [[...values]])),
]

/** The canvas of a chart, drawn again when its values or its width change. */
export const ChartPlot = memo((props: ChartPlotProps) => {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (!element) return undefined
    const plot = new uPlot(optionsOf(props, element.clientWidth), dataOf(props), element)
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
      props.onPoint(null)
    }
  }, [props])
  return <div ref={box} className={classes.canvas} aria-hidden="true" />
})
