import { spawn } from 'node:child_process'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { readConfig } from '#platform/config/config.ts'
import { Failure } from '../failure.ts'
import { logFile } from '../panel/detached.ts'
import { lastLines } from '../panel/last-lines.ts'
import { findRunning } from '../panel/running.ts'
import { isUnitOf, UNIT } from '../panel/systemd.ts'
import { plainText } from '../plain-text.ts'
import { out } from '../terminal.ts'

interface LogsOptions {
  follow?: boolean
  lines: number
}

const showUnitLog = (options: LogsOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    const words = ['-u', UNIT, '-o', 'cat', '-n', String(options.lines), ...(options.follow ? ['-f'] : ['--no-pager'])]
    const child = spawn('journalctl', words, { stdio: 'inherit' })
    child.once('error', error => reject(new Failure(`The log of ${UNIT} can't be read: ${error.message}.`)))
    child.once('close', code => {
      process.exitCode = code ?? 1
      resolve()
    })
  })

const printFrom = async (file: string, start: number): Promise<number> => {
  let position = start
  const stream = createReadStream(file, { start, encoding: 'utf8' })
  for await (const part of stream as AsyncIterable<string>) {
    process.stdout.write(plainText(part))
    position += Buffer.byteLength(part)
  }
  return position
}

/** Looks again and again, for ever: anyone who follows a log ends it with Ctrl-C. */
const follow = async (file: string, from: number): Promise<never> => {
  let position = from
  for (;;) {
    await new Promise(resolve => setTimeout(resolve, 200))
    const size = existsSync(file) ? statSync(file).size : 0
    // A new log took the place of a large one.
    if (size < position) position = 0
    if (size > position) position = await printFrom(file, position)
  }
}

export const logs = async (options: LogsOptions): Promise<void> => {
  const { dataDir } = readConfig(process.env)
  const isUnit = findRunning(dataDir)?.by === 'systemd' || (!existsSync(logFile(dataDir)) && isUnitOf(dataDir))
  if (isUnit) return showUnitLog(options)
  const file = logFile(dataDir)
  if (!existsSync(file))
    throw new Failure(`There is no log in ${dataDir} yet: start the panel with \`./fleetpress up\`.`)
  const size = statSync(file).size
  const text = lastLines(file, options.lines)
  if (text !== '') out(plainText(text))
  if (options.follow) await follow(file, size)
}
