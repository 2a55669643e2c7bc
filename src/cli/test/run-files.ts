import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { plainText } from '../plain-text.ts'
import { inRepository, NODE, NODE_FLAGS, ROOT } from '../repository.ts'
import { coloursFor, out, seconds } from '../terminal.ts'
import type { CountLine, Totals } from './count.ts'
import { PACKED_PLACE, packedPath, sourcePath, withSources } from './packed-path.ts'

const RUNNER = fileURLToPath(new URL('runner.ts', import.meta.url))
/** What all test files share, such as one database server, is started once for the run. */
const SETUP = inRepository('test', 'support', 'global-setup.ts')
const MINUTE_MS = 60_000

/** The niceness of what should take only the processors that test servers leave idle. */
export const BEHIND_SERVERS = 5

export interface Turns {
  /** How many files run at a time. */
  readonly atATime: number
  /** As for `nice`; 0 is the same as others. */
  readonly niceness: number
}

/** A file that leaves something running never ends by itself. On slow machines some take a quarter of an hour; soak takes hours. */
const limitMs = (env: NodeJS.ProcessEnv): number => {
  if (env.FLEETPRESS_TEST_LIMIT_MS !== undefined) return Number(env.FLEETPRESS_TEST_LIMIT_MS)
  if (env.FLEETPRESS_SOAK === '1') return 8 * 60 * MINUTE_MS
  return 30 * MINUTE_MS
}
const FAILURES = /^.*failing tests:/m

export interface FileTime {
  /** Below the root of the repository. */
  file: string
  durationMs: number
}

/** How test files ended, and how long each took. */
export interface Ran {
  totals: Totals
  times: FileTime[]
}

export const NOTHING: Ran = { totals: { passed: 0, failed: 0, skipped: 0 }, times: [] }

export const add = (a: Ran, b: Ran): Ran => ({
  totals: {
    passed: a.totals.passed + b.totals.passed,
    failed: a.totals.failed + b.totals.failed,
    skipped: a.totals.skipped + b.totals.skipped,
  },
  times: [...a.times, ...b.times],
})

const showLine = (text: string, packed: string | undefined): CountLine => {
  const read: CountLine = JSON.parse(text)
  const line = { ...read, file: read.file === null ? null : sourcePath(read.file, packed) }
  if (line.file !== null) {
    const colours = coloursFor(process.stdout)
    const isGood = line.failed + line.skipped === 0
    const bad = isGood ? '' : `, ${line.failed} failed, ${line.skipped} skipped`
    const mark = isGood ? colours.green('✓') : colours.red('✗')
    out(`${mark} ${line.file}: ${line.passed} passed${bad} ${colours.dim(seconds(line.durationMs))}`)
    if (line.lastWords) out(plainText(withSources(line.lastWords.trimEnd(), packed)))
  }
  return line
}

const wordsFor = (files: string[], atATime: number, specFile: string): string[] => [
  ...NODE_FLAGS,
  RUNNER,
  existsSync(SETUP) ? SETUP : '',
  String(atATime),
  specFile,
  ...files,
]

/** The files' own lines are shown as they end; the last line, for the whole run, has the totals. */
const readLines = (packed: string | undefined, onLine: (line: CountLine) => void) => {
  let rest = ''
  return (part: string) => {
    const lines = `${rest}${part}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('{"file":')) onLine(showLine(line, packed))
  }
}

interface Ended {
  totals: Totals | undefined
  times: FileTime[]
  code: number
}

const runNode = (words: string[], niceness: number, env: NodeJS.ProcessEnv): Promise<Ended> =>
  new Promise(resolve => {
    const child = spawn(NODE, words, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] })
    if (child.pid !== undefined) setPriority(child.pid, niceness)
    // Anyone who ends the CLI ends the tests with it.
    const stop = () => void child.kill('SIGTERM')
    process.once('SIGTERM', stop)
    let totals: Totals | undefined
    const times: FileTime[] = []
    child.stdout.setEncoding('utf8')
    child.stdout.on(
      'data',
      readLines(env[PACKED_PLACE], ({ file, durationMs, passed, failed, skipped }) => {
        if (file === null) totals = { passed, failed, skipped }
        else times.push({ file, durationMs })
      }),
    )
    child.once('error', () => resolve({ totals: undefined, times, code: 1 }))
    child.once('close', code => {
      process.off('SIGTERM', stop)
      resolve({ totals, times, code: code ?? 1 })
    })
  })

const showFailures = (specFile: string, packed: string | undefined): void => {
  const text = withSources(readFileSync(specFile, 'utf8'), packed)
  const at = text.search(FAILURES)
  out((at === -1 ? text : text.slice(at)).trimEnd())
}

/** Runs test files, those in front first, and returns how they ended; what failed is shown in full. */
export const runFiles = async (files: string[], turns: Turns, env: NodeJS.ProcessEnv): Promise<Ran> => {
  if (files.length === 0) return NOTHING
  const folder = mkdtempSync(join(tmpdir(), 'fleetpress-tests-'))
  const specFile = join(folder, 'spec.txt')
  try {
    const limited = { ...env, FLEETPRESS_TEST_LIMIT_MS: String(limitMs(env)) }
    const toRun = files.map(file => packedPath(file, env[PACKED_PLACE]))
    const words = wordsFor(toRun, turns.atATime, specFile)
    const { totals, times, code } = await runNode(words, turns.niceness, limited)
    // A run that ended without totals, or badly although all passed, has a failure that no test stands for.
    if (totals === undefined) return { totals: { ...NOTHING.totals, failed: 1 }, times }
    if (code !== 0) showFailures(specFile, env[PACKED_PLACE])
    return { totals: code !== 0 && totals.failed === 0 ? { ...totals, failed: 1 } : totals, times }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
