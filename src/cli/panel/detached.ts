import { spawn } from 'node:child_process'
import { closeSync, existsSync, fstatSync, openSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#platform/config/config.ts'
import { Failure } from '../failure.ts'
import { NODE, PANEL_WORDS, ROOT } from '../repository.ts'
import { environmentOfPanel } from './environment.ts'
import { lastLines } from './last-lines.ts'
import { writeRecord } from './record.ts'

const LOG_LIMIT_BYTES = 20 * 1024 * 1024

export const logFile = (dataDir: string): string => join(dataDir, 'panel.log')

/** A log that has grown large makes room for a new one; the one before it is kept. */
const openLog = (dataDir: string): number => {
  const file = logFile(dataDir)
  if (existsSync(file) && statSync(file).size > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`)
  return openSync(file, 'a', 0o600)
}

export interface Started {
  pid: number
  isLost: () => boolean
  /** What it wrote last, and nothing of a panel before it. */
  lastLines: () => string
}

/** Starts the panel in its own session, so that it outlives this shell. */
export const startDetached = async (config: Config, fingerprint: string): Promise<Started> => {
  const log = openLog(config.dataDir)
  const logStart = fstatSync(log).size
  const child = spawn(NODE, PANEL_WORDS, {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', log, log],
    env: environmentOfPanel(process.env, config.dataDir),
  })
  closeSync(log)
  let isLost = false
  child.once('exit', () => {
    isLost = true
  })
  await new Promise((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', error => reject(new Failure(`Couldn't start the panel: ${error.message}.`)))
  })
  const pid = child.pid ?? 0
  writeRecord(config, pid, fingerprint)
  child.unref()
  return { pid, isLost: () => isLost, lastLines: () => lastLines(logFile(config.dataDir), 20, logStart) }
}
