import { join } from 'node:path'
import { exec, withEnv } from '#platform/host/command.ts'
import { startDetached } from '#platform/host/detached.ts'
import type { Host } from '#platform/host/host.ts'
import { SHELL } from '#platform/host/shell-text.ts'
import type { Installation } from '#platform/scope.ts'
import { type UpdateState, updateFolder } from './update-state.ts'

const LIMIT_MS = 30_000

/** The shell that waits for the update settles it if it was killed; one that ended in order leaves nothing to settle. */
const UPDATE = '"$0" update "$1" --yes --id "$2" || "$0" update --settle'
const SETTLE = '"$0" update --settle'

type Install = Pick<Installation, 'root' | 'dataDir'>

/** A process of its own, because it outlives the panel that it replaces. What it says stays in the folder of the update. */
const launch = async (
  host: Host,
  { root, dataDir }: Install,
  id: string,
  [script, ...words]: readonly [script: string, ...words: string[]],
): Promise<void> => {
  const folder = join(updateFolder(dataDir), 'run')
  await host.run(exec('rm', '-rf', '--', folder), { timeoutMs: LIMIT_MS })
  const command = exec(...SHELL, script, join(root, 'fleetpress'), ...words)
  await startDetached(host, id, withEnv(command, { FLEETPRESS_DATA: dataDir }), { folder })
}

export const launchUpdate = (host: Host, install: Install, { id, to }: UpdateState): Promise<void> =>
  launch(host, install, id, [UPDATE, to, id])

/** Brings back the old version after an interrupted update, whichever of the two asks for it. */
export const launchSettling = (host: Host, install: Install, { id }: UpdateState): Promise<void> =>
  launch(host, install, `${id}-settle`, [SETTLE])
