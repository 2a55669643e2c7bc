import { spawn } from 'node:child_process'
import { Failure } from '../failure.ts'
import { plainText } from '../plain-text.ts'

const KEPT_CHARACTERS = 4000

/** Runs a program of another version to its end; what it said comes along when it fails. */
export const call = (words: readonly [string, ...string[]], env: NodeJS.ProcessEnv, problem: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(words[0], words.slice(1), { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    const hear = (part: Buffer) => {
      said = `${said}${part.toString('utf8')}`.slice(-KEPT_CHARACTERS)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('error', error => reject(new Failure(`${problem}: ${error.message}.`)))
    child.once('close', code => {
      if (code === 0) return resolve()
      const lines = plainText(said).trimEnd().split('\n')
      reject(new Failure(`${problem}: ${lines.at(-1) ?? 'it said nothing'}`))
    })
  })
