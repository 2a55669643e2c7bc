import { spawnSync } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { holderOf, identify, isAlive } from '#platform/host/process-identity.ts'
import { errnoOf, Failure } from '../failure.ts'

const WAIT_MS = 120_000

/** The lock is there with its holder in it, or not at all. */
const tryToHold = (file: string, self: string): boolean => {
  const own = `${file}.${process.pid}`
  writeFileSync(own, self, { mode: 0o600 })
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    return false
  } finally {
    rmSync(own, { force: true })
  }
}

const REMOVE = '[ "$(cat -- "$0")" = "$1" ] && rm -f -- "$0"'

/** Two may find the same dead holder, so the second looks again once the first is done: the lock may be someone's by then. */
const removeDead = (file: string, left: string): void => {
  spawnSync('flock', [dirname(file), 'sh', '-c', REMOVE, file, left], { stdio: 'ignore' })
}

const textOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Held by everyone who starts the panel, and by anyone who must be sure that no one does. */
export const startLock = (dataDir: string): string => join(dataDir, 'up.lock')

/** One at a time: anyone who comes second waits for the first; what a killed process left behind is taken over. */
export const withLock = async <T>(file: string, act: () => Promise<T>): Promise<T> => {
  mkdirSync(dirname(file), { recursive: true })
  const self = JSON.stringify(identify(process.pid))
  const deadline = Date.now() + WAIT_MS
  while (!tryToHold(file, self)) {
    const left = textOf(file)
    const holder = holderOf(file)
    if (left !== undefined && !(holder && isAlive(holder))) removeDead(file, left)
    if (Date.now() > deadline) {
      throw new Failure(
        `Another fleetpress command (pid ${holder?.pid}) is running: wait for it to end, then try again.`,
      )
    }
    if (existsSync(file)) await new Promise(resolve => setTimeout(resolve, 50))
  }
  try {
    return await act()
  } finally {
    rmSync(file, { force: true })
  }
}
