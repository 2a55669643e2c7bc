import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { plainText } from '../plain-text.ts'
import { inRepository, NODE, NODE_FLAGS, ROOT } from '../repository.ts'
import { coloursFor, out, seconds } from '../terminal.ts'
import type { CountLine, Totals } from './count.ts'

const REPORTER = fileURLToPath(new URL('count.ts', import.meta.url))
const SETUP = inRepository('test', 'support', 'global-setup.ts')
/** A file that leaves something running never ends by itself; one that runs alone may take longer. */
const limitMs = (concurrency: number): number => (concurrency > 1 ? 15 : 30) * 60_000
const FAILURES = /^.*failing tests:/m

export const NOTHING: Totals = { passed: 0, failed: 0, skipped: 0 }

export const add = (a: Totals, b: Totals): Totals => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
})

const showLine = (text: string): CountLine => {
  const line: CountLine = JSON.parse(text)
  if (line.file !== null) {
    const colours = coloursFor(process.stdout)
    const isGood = line.failed + line.skipped === 0
    const bad = isGood ? '' : `, ${line.failed} failed, ${line.skipped} skipped`
    const mark = isGood ? colours.green('✓') : colours.red('✗')
    out(`${mark} ${relative(ROOT, line.file)}: ${line.passed} passed${bad} ${colours.dim(seconds(line.durationMs))}`)
    if (line.lastWords) out(plainText(line.lastWords.trimEnd()))
  }
  return line
}

/** What all test files share, such as one database server, is started once for the run. */
const setupWords = (): string[] => (existsSync(SETUP) ? [`--test-global-setup=${SETUP}`] : [])

const wordsFor = (files: string[], concurrency: number, specFile: string): string[] => [
  ...NODE_FLAGS,
  '--test',
  ...setupWords(),
  `--test-concurrency=${concurrency}`,
  `--test-timeout=${limitMs(concurrency)}`,
  `--test-reporter=${REPORTER}`,
  '--test-reporter-destination=stdout',
  '--test-reporter=spec',
  `--test-reporter-destination=${specFile}`,
  ...files,
]

/** The files' own lines are shown as they end; the last line, for the whole run, has the totals. */
const readLines = (onLine: (line: CountLine) => void) => {
  let rest = ''
  return (part: string) => {
    const lines = `${rest}${part}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('{"file":')) onLine(showLine(line))
  }
}

const runNode = (words: string[], env: NodeJS.ProcessEnv): Promise<{ totals: Totals | undefined; code: number }> =>
  new Promise(resolve => {
    const child = spawn(NODE, words, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] })
    // Whoever ends the CLI ends the tests with it.
    const stop = () => void child.kill('SIGTERM')
    process.once('SIGTERM', stop)
    let totals: Totals | undefined
    child.stdout.setEncoding('utf8')
    child.stdout.on(
      'data',
      readLines(({ file, passed, failed, skipped }) => {
        if (file === null) totals = { passed, failed, skipped }
      }),
    )
    child.once('error', () => resolve({ totals: undefined, code: 1 }))
    child.once('close', code => {
      process.off('SIGTERM', stop)
      resolve({ totals, code: code ?? 1 })
    })
  })

const showFailures = (specFile: string): void => {
  const text = readFileSync(specFile, 'utf8')
  const at = text.search(FAILURES)
  out((at === -1 ? text : text.slice(at)).trimEnd())
}

/** Runs test files and returns how they ended; what failed is shown in full. */
export const runFiles = async (files: string[], concurrency: number, env: NodeJS.ProcessEnv): Promise<Totals> => {
  if (files.length === 0) return NOTHING
  const folder = mkdtempSync(join(tmpdir(), 'fleetpress-tests-'))
  const specFile = join(folder, 'spec.txt')
  try {
    const { totals, code } = await runNode(wordsFor(files, concurrency, specFile), env)
    // A run that ended without totals, or badly although all passed, has a failure that no test stands for.
    if (totals === undefined) return { ...NOTHING, failed: 1 }
    if (code !== 0) showFailures(specFile)
    return code !== 0 && totals.failed === 0 ? { ...totals, failed: 1 } : totals
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
