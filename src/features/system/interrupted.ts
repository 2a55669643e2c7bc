import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { endMaintenance } from '#platform/config/maintenance.ts'
import { holderOf, isAlive } from '#platform/host/process-identity.ts'
import { findUpdate, saveUpdate, type UpdateState, type UpdateStep, updateFolder } from './update-state.ts'

/** An update that the panel has written down gets this long to begin. */
const STARTING_MS = 5 * 60_000

/** Held by the process that updates the panel until it ends, however it ends. */
export const updateLock = (dataDir: string): string => join(dataDir, 'update.lock')

const stepOf = ({ steps }: UpdateState, wanted: UpdateStep) => steps.find(({ id }) => id === wanted)

export const hasBegun = (state: UpdateState, step: UpdateStep): boolean => stepOf(state, step)?.status !== 'waiting'
export const isDone = (state: UpdateState, step: UpdateStep): boolean => stepOf(state, step)?.status === 'done'

/** Before this, the database and the link are those of the old version. */
export const hasChanged = (state: UpdateState): boolean => hasBegun(state, 'start')

const isUpdaterAlive = (dataDir: string): boolean => {
  const holder = holderOf(updateLock(dataDir))
  return holder !== undefined && isAlive(holder)
}

/** The update whose process ended before it did. Its process is checked first: it writes how it ends while it lives. */
export const findInterrupted = (dataDir: string, now = Date.now()): UpdateState | undefined => {
  if (isUpdaterAlive(dataDir)) return undefined
  const state = findUpdate(dataDir)
  if (state?.status !== 'running') return undefined
  const mayBegin = !hasBegun(state, 'check') && now - state.startedAt < STARTING_MS
  return mayBegin ? undefined : state
}

/** The update that a living process is in the middle of, once the old version is being stopped. */
export const findReplacing = (dataDir: string): UpdateState | undefined => {
  const state = isUpdaterAlive(dataDir) ? findUpdate(dataDir) : undefined
  return state?.status === 'running' && hasBegun(state, 'stop') ? state : undefined
}

/** What an update leaves in its folders while it prepares; the copy for the trial holds every secret. */
export const removeUnfinished = (dataDir: string, { newRoot }: UpdateState): void => {
  const folder = updateFolder(dataDir)
  // A program that the killed update had started may still write there.
  for (const path of [join(folder, 'trial'), join(folder, 'release.tar.gz'), `${newRoot}.unpacking`])
    rmSync(path, { recursive: true, force: true, maxRetries: 20 })
}

/** Ends an interrupted update that has changed nothing: the old version is in use, and stays. */
export const endUnchanged = (dataDir: string, state: UpdateState, now = Date.now()): void => {
  removeUnfinished(dataDir, state)
  endMaintenance(dataDir)
  saveUpdate(dataDir, {
    ...state,
    status: 'failed',
    finishedAt: now,
    error: 'The update was interrupted.',
    variables: {},
  })
}
