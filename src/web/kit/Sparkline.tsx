import classes from './Sparkline.module.css'

interface SparklineProps {
  /** What it shows, for readers: "CPU of hello in the last hour". */
  label: string
  values: readonly (number | null)[]
  /** What the full height stands for; the largest value when left out. */
  max?: number
}

const WIDTH = 96
const HEIGHT = 24

/** A line as small as a word. */
export const Sparkline = ({ label, values, max }: SparklineProps) => {
  const top = max ?? Math.max(...values.map(value => value ?? 0), Number.EPSILON)
  const step = WIDTH / Math.max(1, values.length - 1)
  const points = values.flatMap((value, index) =>
    value === null ? [] : [`${(index * step).toFixed(1)},${(HEIGHT - 1 - (value / top) * (HEIGHT - 2)).toFixed(1)}`],
  )
  return (
    <svg className={classes.line} viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
      <title>{label}</title>
      <polyline points={points.join(' ')} />
    </svg>
  )
}
