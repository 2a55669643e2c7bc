import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { inRepository, NODE, NODE_FLAGS, ROOT } from '../../src/cli/repository.ts'
import { packed } from '../support/packed.ts'

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface Start {
  env?: Record<string, string>
  input?: string
  cwd?: string
  limitMs?: number
}

const collect = (child: ChildProcess, input: string): Promise<Ended> =>
  new Promise((resolve, reject) => {
    let stdout = ''
    let stderr = ''
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      stdout += part
    })
    child.stderr?.setEncoding('utf8').on('data', (part: string) => {
      stderr += part
    })
    child.once('error', reject)
    child.once('close', code => resolve({ code, stdout, stderr }))
    // A program that ends without reading its input is none of the test's business.
    child.stdin?.on('error', () => undefined).end(input)
  })

/** Runs a program to its end, in an environment that holds only what the test gives. */
export const runProgram = (program: string, words: string[], start: Start = {}): Promise<Ended> => {
  const env = { PATH: process.env.PATH ?? '', HOME: tmpdir(), LANG: 'C.UTF-8', ...start.env }
  const child = spawn(program, words, {
    env,
    cwd: start.cwd ?? ROOT,
    timeout: start.limitMs ?? 60_000,
    killSignal: 'SIGKILL',
  })
  return collect(child, start.input ?? '')
}

export const CLI_WORDS = [...NODE_FLAGS, packed(inRepository('src', 'cli', 'main.ts'))]

/** Runs the CLI as the launcher would. */
export const runCli = (words: string[], start: Start = {}): Promise<Ended> =>
  runProgram(NODE, [...CLI_WORDS, ...words], start)

/** A folder that is gone when the test has ended. */
export const temporaryFolder = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetpress-cli-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export { freePort } from '../support/ports.ts'
