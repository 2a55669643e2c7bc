import { existsSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepDatabase, putDatabaseBack } from '#app/local-copy.ts'
import { linkOf, RELEASES, type UpdateState, updateFolder } from '#features/system/index.ts'
import type { Config } from '#platform/config/config.ts'
import { Failure } from '../failure.ts'
import { askHealth } from '../panel/health.ts'
import { findRunning, stopRunning } from '../panel/running.ts'
import { call } from './call.ts'

const WATCH_MS = 60_000
const ASK_EVERY_MS = 500
/** One slow answer is no reason to go back. */
const MISSES_MAX = 10

const copyFolder = (dataDir: string): string => join(updateFolder(dataDir), 'before')
const wholeMark = (dataDir: string): string => join(copyFolder(dataDir), 'whole')

export const stopPanel = async ({ dataDir }: Config): Promise<void> => {
  const running = findRunning(dataDir)
  if (running) await stopRunning(dataDir, running)
}

export const copyDatabase = async (config: Config): Promise<void> => {
  rmSync(copyFolder(config.dataDir), { recursive: true, force: true })
  await keepDatabase(config, copyFolder(config.dataDir))
  writeFileSync(wholeMark(config.dataDir), '')
}

/** In one act: the link leads to one version or to the other. */
export const pointTo = (root: string): void => {
  const link = linkOf(root)
  const next = join(dirname(link), `.current-${process.pid}`)
  rmSync(next, { force: true })
  symlinkSync(join(RELEASES, basename(root)), next)
  renameSync(next, link)
}

export const startVersion = (root: string, { by }: UpdateState, env: NodeJS.ProcessEnv): Promise<void> =>
  call(
    [join(root, 'fleetpress'), 'up', '--no-server', ...(by === 'process' ? ['--detached'] : [])],
    env,
    `The version in ${root} doesn't start`,
  )

/** It must be the new version that answers, and keep answering. */
export const watchHealth = async (config: Config, { to }: UpdateState): Promise<void> => {
  const until = Date.now() + WATCH_MS
  let misses = 0
  while (Date.now() < until) {
    const health = await askHealth(config)
    misses = health?.problem === null && health.version === to ? 0 : misses + 1
    if (misses > MISSES_MAX) throw new Failure(health?.problem ?? `Version ${to} stopped answering.`)
    await sleep(ASK_EVERY_MS)
  }
}

/** The old version with the old database, whatever was reached of the new one. May run twice. */
export const goBack = async (config: Config, state: UpdateState, env: NodeJS.ProcessEnv): Promise<void> => {
  await stopPanel(config)
  if (existsSync(wholeMark(config.dataDir))) await putDatabaseBack(config, copyFolder(config.dataDir))
  pointTo(state.oldRoot)
  await startVersion(state.oldRoot, state, env)
}

/** The version before stays for one step back; older ones and the copy of the database go. */
export const forgetOld = (config: Config): void => rmSync(copyFolder(config.dataDir), { recursive: true, force: true })
