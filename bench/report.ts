import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** One figure: ours, what it is held against, and whether it keeps its limit. */
export interface Figure {
  name: string
  unit: string
  ours: number
  /** What it is compared with: a named peer's figure, or nothing where the limit is absolute. */
  peer?: { name: string; value: number }
  limit: { atLeast?: number; atMost?: number }
}

const FILE = join(import.meta.dirname, 'results.json')

const round = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2))

/** Prints the figures, keeps them in bench/results.json, and fails the run when one misses its limit. */
export const report = (bench: string, figures: readonly Figure[]): void => {
  const kept = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, unknown>) : {}
  const rows = figures.map(figure => ({ ...figure, ratio: figure.peer ? figure.ours / figure.peer.value : null }))
  writeFileSync(
    FILE,
    `${JSON.stringify({ ...kept, [bench]: { at: new Date().toISOString(), figures: rows } }, null, 2)}\n`,
  )
  for (const { name, unit, ours, peer, limit, ratio } of rows) {
    const judged = ratio ?? ours
    const kept =
      (limit.atLeast === undefined || judged >= limit.atLeast) && (limit.atMost === undefined || judged <= limit.atMost)
    if (!kept) process.exitCode = 1
    const against =
      peer && ratio !== null ? `, ${peer.name} ${round(peer.value)} ${unit}, ratio ${ratio.toFixed(2)}` : ''
    const bound = limit.atLeast === undefined ? `at most ${limit.atMost}` : `at least ${limit.atLeast}`
    console.log(`${kept ? '✓' : '✗'} ${name}: ${round(ours)} ${unit}${against} (limit: ${bound})`)
  }
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
