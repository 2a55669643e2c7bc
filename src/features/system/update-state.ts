import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Update } from './contract.ts'

/** In the order they run. From `stop` on, only going back leads to the old version. */
export const UPDATE_STEPS = {
  check: 'Checking the release',
  download: 'Downloading it',
  unpack: 'Unpacking it',
  packages: 'Installing its packages',
  trial: 'Trying it with a copy of the database',
  stop: 'Stopping the old version',
  copy: 'Copying the database',
  start: 'Starting the new version',
  watch: 'Watching it for a minute',
} as const
export type UpdateStep = keyof typeof UPDATE_STEPS

/** What is known about an update, in a file: the panel that shows it may be the old one, the new one or none. */
export const UpdateState = Update.extend({
  /** The folders of both versions, and how the panel was started. */
  oldRoot: z.string(),
  newRoot: z.string(),
  by: z.enum(['systemd', 'process']),
  /** What the panel was configured with, until the update ends: no one else knows once it is stopped. */
  variables: z.record(z.string(), z.string()).default({}),
})
export type UpdateState = z.infer<typeof UpdateState>

export const updateFolder = (dataDir: string): string => join(dataDir, 'update')
const stateFile = (dataDir: string): string => join(updateFolder(dataDir), 'state.json')

export const findUpdate = (dataDir: string): UpdateState | undefined => {
  const file = stateFile(dataDir)
  if (!existsSync(file)) return undefined
  const read = UpdateState.safeParse(JSON.parse(readFileSync(file, 'utf8')))
  return read.success ? read.data : undefined
}

export const saveUpdate = (dataDir: string, state: UpdateState): void => {
  mkdirSync(updateFolder(dataDir), { recursive: true, mode: 0o700 })
  const file = stateFile(dataDir)
  writeFileSync(`${file}.next`, JSON.stringify(state), { mode: 0o600, flush: true })
  renameSync(`${file}.next`, file)
}

export const forgetUpdate = (dataDir: string): void => rmSync(stateFile(dataDir), { force: true })
