import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepDatabase, putDatabaseBack } from '#app/local-copy.ts'
import { hasChanged, linkOf, RELEASES, type UpdateState, updateFolder } from '#features/system/index.ts'
import type { Config } from '#platform/config/config.ts'
import { Failure } from '../failure.ts'
import { UPDATER_VARIABLE } from '../panel/environment.ts'
import { askHealth } from '../panel/health.ts'
import { startLock, withLock } from '../panel/lock.ts'
import { findRunning, stopRunning } from '../panel/running.ts'
import { stopUnit } from '../panel/systemd.ts'
import { call } from './call.ts'

const WATCH_MS = 60_000
const ASK_EVERY_MS = 500
/** One slow answer is no reason to go back. */
const MISSES_MAX = 10

const copyFolder = (dataDir: string): string => join(updateFolder(dataDir), 'before')
const wholeMark = (dataDir: string): string => join(copyFolder(dataDir), 'whole')

/** systemd may be about to start it once more, so its unit is stopped even when no process runs. */
const stop = async ({ dataDir }: Config, { by }: UpdateState): Promise<void> => {
  if (by === 'systemd') stopUnit()
  const running = findRunning(dataDir)
  if (running) await stopRunning(dataDir, running)
}

export const stopPanel = (config: Config, state: UpdateState): Promise<void> =>
  withLock(startLock(config.dataDir), () => stop(config, state))

/** A copy that a power cut could empty is none. */
const writeToDisk = (folder: string): void => {
  for (const path of [...readdirSync(folder).map(name => join(folder, name)), folder]) {
    const fd = openSync(path, 'r')
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  }
}

export const copyDatabase = async (config: Config): Promise<void> => {
  rmSync(copyFolder(config.dataDir), { recursive: true, force: true })
  await keepDatabase(config, copyFolder(config.dataDir))
  writeToDisk(copyFolder(config.dataDir))
  writeFileSync(wholeMark(config.dataDir), '', { flush: true })
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
    { ...env, [UPDATER_VARIABLE]: String(process.pid) },
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

/**
 * The old version, and the old database if the new version could have touched it. May be interrupted and run again at any
 * point: the copy is removed before the old version starts, so that what is changed from then on stays.
 */
export const goBack = async (config: Config, state: UpdateState, env: NodeJS.ProcessEnv): Promise<void> => {
  // A start that the killed update had begun comes to its end first; later ones are refused.
  await withLock(startLock(config.dataDir), async () => {
    await stop(config, state)
    if (hasChanged(state) && existsSync(wholeMark(config.dataDir)))
      await putDatabaseBack(config, copyFolder(config.dataDir))
    pointTo(state.oldRoot)
    removeCopy(config.dataDir)
  })
  await startVersion(state.oldRoot, state, env)
}

/** The mark goes first: a copy that is half removed is none. */
const removeCopy = (dataDir: string): void => {
  rmSync(wholeMark(dataDir), { force: true })
  rmSync(copyFolder(dataDir), { recursive: true, force: true })
}

/** The version before stays for one step back; older ones and the copy of the database go. */
export const keepTwo = (dataDir: string, { oldRoot, newRoot }: UpdateState): void => {
  removeCopy(dataDir)
  const folder = dirname(newRoot)
  for (const name of readdirSync(folder))
    if (![oldRoot, newRoot].includes(join(folder, name))) rmSync(join(folder, name), { recursive: true, force: true })
}
