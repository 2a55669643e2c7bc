import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { findReplacing, updateLock } from '#features/system/index.ts'
import { holderOf, isAlive } from '#platform/host/process-identity.ts'
import { EXIT, Failure } from '../failure.ts'
import { UPDATER_VARIABLE } from '../panel/environment.ts'
import { ROOT } from '../repository.ts'
import { type Settled, settleInterrupted } from '../update/settle.ts'
import type { Steps } from './steps.ts'

const isAtWork = (dataDir: string, updater: string): boolean => {
  const holder = holderOf(updateLock(dataDir))
  return holder !== undefined && String(holder.pid) === updater && isAlive(holder)
}

/**
 * A panel that is started while its database is copied or replaced would work on half of it. What a killed update had begun to start
 * is not started either: the process that settles it starts the version it chose.
 */
export const refuseWhileUpdating = (dataDir: string, env: NodeJS.ProcessEnv = process.env): void => {
  const updater = env[UPDATER_VARIABLE]
  if (updater !== undefined && isAtWork(dataDir, updater)) return
  if (updater !== undefined) throw new Failure('The update that starts the panel was interrupted.', EXIT.conflict)
  const update = findReplacing(dataDir)
  if (!update) return
  throw new Failure(
    `The panel is being updated to version ${update.to}. It starts by itself: wait for a minute or two.`,
    EXIT.conflict,
  )
}

/** Only the version that is in use may start the panel, so this one hands its words over where it is the other. */
const handOver = ({ root }: Settled): never => {
  const { status } = spawnSync(join(root, 'fleetpress'), process.argv.slice(2), { stdio: 'inherit' })
  process.exit(status ?? EXIT.failure)
}

/** Ends what a killed update left behind: in the old version or in the new one, never in between. */
export const settleBeforeStart = async (steps: Steps, dataDir: string): Promise<void> => {
  refuseWhileUpdating(dataDir)
  const settled = await settleInterrupted(dataDir)
  if (!settled) return
  await steps('Interrupted update', note => note(`settled, version ${settled.version} is in use`))
  if (settled.root !== ROOT) handOver(settled)
}
