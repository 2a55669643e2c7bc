import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { inRepository } from '../repository.ts'
import { coloursFor, duration, out, seconds } from '../terminal.ts'
import { ringOf } from './find-files.ts'
import { RINGS } from './packages.ts'
import type { FileTime } from './run-files.ts'

const FILE = inRepository('.cache', 'test-times.json')
const Known = z.record(z.string(), z.number())
const SHOWN = 10
const MINUTE_MS = 60_000
/** Of a whole run on two cores. */
const BUDGET_MINUTES = 45

const readKnown = (): Record<string, number> => {
  try {
    return Known.parse(JSON.parse(readFileSync(FILE, 'utf8')))
  } catch {
    return {}
  }
}

/** Of the longest files, in seconds on two busy cores: only their order matters, on a machine that never ran them. */
export const readUsual = (): Record<string, number> =>
  Known.parse(JSON.parse(readFileSync(inRepository('src', 'cli', 'test', 'usual-times.json'), 'utf8')))

/** The longest first, so that none is left to run alone at the end. A file of which nothing is known is judged by its size. */
export const longestFirst = (files: readonly string[], known = readKnown()): string[] => {
  const usual = readUsual()
  const usualMs = (file: string) => (usual[file] === undefined ? undefined : usual[file] * 1000)
  const weight = (file: string) => known[file] ?? usualMs(file) ?? statSync(inRepository(file)).size
  return files.toSorted((a, b) => weight(b) - weight(a))
}

/** For the order of the next run. */
export const keepTimes = (times: readonly FileTime[]): void => {
  const taken = times.map(({ file, durationMs }) => [file, Math.round(durationMs)])
  mkdirSync(dirname(FILE), { recursive: true })
  writeFileSync(FILE, `${JSON.stringify({ ...readKnown(), ...Object.fromEntries(taken) })}\n`)
}

/** How long a run may take; undefined where no one promised anything. */
export const budgetMs = (name: string): number | undefined => {
  if (name === 'quick') return MINUTE_MS
  return name === 'all' ? BUDGET_MINUTES * MINUTE_MS : undefined
}

const sum = (times: readonly FileTime[]): number => times.reduce((total, { durationMs }) => total + durationMs, 0)

const showRings = (times: readonly FileTime[]): void => {
  for (const ring of RINGS) {
    const own = times.filter(({ file }) => ringOf(file) === ring)
    if (own.length > 0) out(`  ${ring.padEnd(8)}  ${String(own.length).padStart(3)} files  ${seconds(sum(own))}`)
  }
}

/** What took long, what each ring took, and what the run took of what it may. */
export const showTimes = (name: string, times: readonly FileTime[], tookMs: number): void => {
  if (times.length > SHOWN) {
    out('The slowest files:')
    for (const { file, durationMs } of times.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, SHOWN))
      out(`  ${seconds(durationMs).padStart(8)}  ${file}`)
  }
  out('Total time per ring:')
  showRings(times)
  const limitMs = budgetMs(name)
  const took = `Took ${duration(tookMs / 1000)}`
  if (limitMs === undefined) return out(`${took}.`)
  const { green, yellow } = coloursFor(process.stdout)
  const paint = tookMs > limitMs ? yellow : green
  out(paint(`${took} of ${duration(limitMs / 1000)}${tookMs > limitMs ? ': over budget' : ''}.`))
}
