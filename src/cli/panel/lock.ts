import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { holderOf, identify, isAlive } from '#platform/host/process-identity.ts'
import { errnoOf, Failure } from '../failure.ts'

const WAIT_MS = 120_000

const tryToHold = (file: string, self: string): boolean => {
  try {
    writeFileSync(file, self, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    return false
  }
}

/** One at a time: anyone who comes second waits for the first; what a killed process left behind is taken over. */
export const withLock = async <T>(file: string, act: () => Promise<T>): Promise<T> => {
  mkdirSync(dirname(file), { recursive: true })
  const self = JSON.stringify(identify(process.pid))
  const deadline = Date.now() + WAIT_MS
  let unreadable = 0
  while (!tryToHold(file, self)) {
    const holder = holderOf(file)
    // A lock that was only just made may still be empty, so it gets a second to fill.
    unreadable = holder ? 0 : unreadable + 1
    if ((holder && !isAlive(holder)) || unreadable > 20) rmSync(file, { force: true })
    if (Date.now() > deadline) {
      throw new Failure(
        `Another fleetpress command (pid ${holder?.pid}) is running: wait for it to end, then try again.`,
      )
    }
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  try {
    return await act()
  } finally {
    rmSync(file, { force: true })
  }
}
