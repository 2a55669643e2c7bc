/** Points of a history with the steps at which nothing was measured, so that a chart shows a gap there. */
export const withGaps = <P extends { at: number }>(
  points: readonly P[],
  stepSeconds: number,
  hours: number,
  now: number,
): { times: number[]; of: (value: (point: P) => number | null) => (number | null)[] } => {
  const stepMs = stepSeconds * 1000
  const last = Math.floor(now / stepMs) * stepMs
  const known = new Map(points.map(point => [point.at, point]))
  const count = Math.floor((hours * 3_600_000) / stepMs)
  const times =
    points.length < 2 ? [] : Array.from({ length: count }, (_, index) => last - (count - 1 - index) * stepMs)
  return {
    times,
    of: value =>
      times.map(at => {
        const point = known.get(at)
        return point === undefined ? null : value(point)
      }),
  }
}
