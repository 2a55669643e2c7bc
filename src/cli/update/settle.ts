import { findInterrupted, findUpdate, hasBegun, isDone, type UpdateState, updateLock } from '#features/system/index.ts'
import { type Config, readConfig } from '#platform/config/config.ts'
import { endMaintenance } from '#platform/config/maintenance.ts'
import { environmentOfPanel } from '../panel/environment.ts'
import { withLock } from '../panel/lock.ts'
import { findRunning } from '../panel/running.ts'
import { say } from '../terminal.ts'
import { variablesOf } from './environment.ts'
import { stepsOf } from './steps.ts'
import { goBack, keepTwo, startVersion } from './switch.ts'

/** What a killed update left behind: which version is in use now, and where it lies. */
export interface Settled {
  version: string
  root: string
}

/** The new version once it has shown that it works; before that the old one, with its database if another touched it. */
const settleOne = async (config: Config, state: UpdateState, env: NodeJS.ProcessEnv): Promise<Settled> => {
  const steps = stepsOf(config.dataDir, state)
  if (isDone(state, 'watch')) {
    if (!findRunning(config.dataDir)) await startVersion(state.newRoot, state, env)
    endMaintenance(config.dataDir)
    steps.end('succeeded', null)
    keepTwo(config.dataDir, state)
    return { version: state.to, root: state.newRoot }
  }
  const isReplacing = hasBegun(state, 'stop')
  if (isReplacing) await goBack(config, state, env)
  endMaintenance(config.dataDir)
  steps.end(isReplacing ? 'rolled_back' : 'failed', 'The update was interrupted.')
  return { version: state.from, root: state.oldRoot }
}

/** For anyone who holds the lock of updates; undefined when no update is unfinished. */
export const settleHeld = async (
  dataDir: string,
  given: NodeJS.ProcessEnv = process.env,
): Promise<Settled | undefined> => {
  const state = findUpdate(dataDir)
  if (state?.status !== 'running') return undefined
  say(`The update to version ${state.to} was interrupted. Settling it …`)
  const running = findRunning(dataDir)
  const env = {
    ...environmentOfPanel(given, dataDir),
    ...state.variables,
    ...(running && variablesOf(running)),
  }
  return settleOne(readConfig(env), state, env)
}

/** Settles what a killed update left behind; undefined when there is nothing, or an updater is still at work. */
export const settleInterrupted = async (
  dataDir: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Settled | undefined> =>
  findInterrupted(dataDir) ? withLock(updateLock(dataDir), () => settleHeld(dataDir, env)) : undefined
