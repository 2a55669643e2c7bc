import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { EXIT, Failure } from './failure.ts'

const isPerson = (): boolean => process.stdin.isTTY && process.stderr.isTTY

/** What a terminal would echo goes nowhere. */
const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() })

const question = async (prompt: string, echo: boolean): Promise<string> => {
  process.stderr.write(prompt)
  const lines = createInterface({ input: process.stdin, output: echo ? process.stderr : nowhere(), terminal: true })
  const stop = new AbortController()
  // Ctrl-C and Ctrl-D end the question, and with it the command.
  lines.once('SIGINT', () => stop.abort())
  lines.once('close', () => stop.abort())
  try {
    return await lines.question('', { signal: stop.signal })
  } catch {
    throw new Failure('Nothing was changed.', EXIT.interrupted)
  } finally {
    lines.close()
    if (!echo) process.stderr.write('\n')
  }
}

/** Asks a person; a script has to say --yes. */
export const confirm = async (effect: string, yes: boolean): Promise<void> => {
  if (yes) return
  if (!isPerson()) throw new Failure(`${effect} Add --yes to skip the confirmation.`, EXIT.usage)
  const answer = await question(`${effect} Continue? [y/N] `, true)
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new Failure('Nothing was changed.')
}

export const readStandardInput = async (): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of process.stdin as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

const askOne = async (name: string): Promise<string> => {
  const value = await question(`${name}: `, false)
  // What no one can see while typing is typed twice when it is new.
  if (/^new/i.test(name) && (await question(`${name} again: `, false)) !== value) {
    throw new Failure("The two don't match. Nothing was changed.", EXIT.usage)
  }
  return value
}

/** Passwords and the like: asked without echo, or one per line on standard input; never words of the command. */
export const readSecrets = async (names: string[]): Promise<Record<string, string>> => {
  const values: Record<string, string> = {}
  if (names.length === 0) return values
  if (isPerson()) {
    for (const name of names) values[name] = await askOne(name)
    return values
  }
  const lines = process.stdin.isTTY ? [] : (await readStandardInput()).replace(/\r?\n$/, '').split(/\r?\n/)
  for (const [at, name] of names.entries()) {
    const line = lines[at] ?? ''
    if (line === '') {
      throw new Failure(`Pass on standard input, one per line: ${names.join(', ')}.`, EXIT.usage)
    }
    values[name] = line
  }
  return values
}
