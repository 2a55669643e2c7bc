import { execFile } from 'node:child_process'

export interface Ended {
  exitCode: number
  stdout: string
  stderr: string
}

export interface RunOptions {
  input?: string | Buffer
  timeoutMs?: number
}

const exitCodeOf = (error: { code?: unknown } | null): number => {
  if (error === null) return 0
  return typeof error.code === 'number' ? error.code : -1
}

/** Runs a program to its end; how it ended is for the caller to judge. -1 is one that did not start or was ended. */
export const tryRun = (program: string, words: string[], options: RunOptions = {}): Promise<Ended> =>
  new Promise(resolve => {
    const { input = '', timeoutMs = 120_000 } = options
    const limits = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 * 1024 } as const
    const child = execFile(program, words, limits, (error, stdout, stderr) => {
      const exitCode = exitCodeOf(error)
      resolve({ exitCode, stdout, stderr: exitCode === -1 ? `${stderr}${error?.message ?? ''}` : stderr })
    })
    // A program that ends without reading its input is not a failure.
    child.stdin?.on('error', () => undefined).end(input)
  })

/** Runs a program that has to succeed; returns what it printed. */
export const run = async (program: string, words: string[], options: RunOptions = {}): Promise<string> => {
  const { exitCode, stdout, stderr } = await tryRun(program, words, options)
  if (exitCode !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${exitCode}: ${stderr.trim()}`)
  return stdout.trim()
}
