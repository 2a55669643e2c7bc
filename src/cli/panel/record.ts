import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#platform/config/config.ts'
import { identify, type ProcessIdentity } from '#platform/host/process-identity.ts'

/** What `up` and `run` leave in the data folder about the panel they started. */
export interface PanelRecord extends ProcessIdentity {
  listen: string
  port: number
  publicUrl: string
  /** Hash of the code and configuration it was started with. */
  fingerprint: string
}

const recordFile = (dataDir: string): string => join(dataDir, 'panel.json')
const pidFile = (dataDir: string): string => join(dataDir, 'panel.pid')

const writeWhole = (file: string, text: string): void => {
  writeFileSync(`${file}.next`, text, { mode: 0o600 })
  renameSync(`${file}.next`, file)
}

/** A process that has ended leaves no record. */
export const writeRecord = (config: Config, pid: number, fingerprint: string): void => {
  const identity = identify(pid)
  if (!identity) return
  const { listen, port, publicUrl } = config
  const record: PanelRecord = { ...identity, listen, port, publicUrl, fingerprint }
  writeWhole(recordFile(config.dataDir), `${JSON.stringify(record, undefined, 2)}\n`)
  writeWhole(pidFile(config.dataDir), `${pid}\n`)
}

const isRecord = (value: unknown): value is PanelRecord =>
  typeof value === 'object' &&
  value !== null &&
  ['pid', 'startTicks', 'port'].every(name => Number.isInteger(Reflect.get(value, name))) &&
  ['bootId', 'listen', 'publicUrl', 'fingerprint'].every(name => typeof Reflect.get(value, name) === 'string')

/** A file that is missing, cut short or of another kind counts as none. */
export const findRecord = (dataDir: string): PanelRecord | undefined => {
  try {
    const value: unknown = JSON.parse(readFileSync(recordFile(dataDir), 'utf8'))
    return isRecord(value) ? value : undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') throw error
    return undefined
  }
}

export const removeRecord = (dataDir: string): void => {
  for (const file of [recordFile(dataDir), pidFile(dataDir)]) rmSync(file, { force: true })
}
