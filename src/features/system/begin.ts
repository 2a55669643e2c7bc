import { OWN_SERVER } from '#features/servers/index.ts'
import type { Background } from '#platform/feature.ts'
import type { Scope } from '#platform/scope.ts'
import { endUnchanged, findInterrupted, hasChanged } from './interrupted.ts'
import { launchSettling } from './launch.ts'
import { noteVersion } from './note-version.ts'

const LOOK_EVERY_MS = 5000
/** Someone who killed an update may be settling it by hand; changes are refused for longer than this. */
const LOOKS = 9

/** While the panel runs: an update whose process was killed is not left as it is. */
const watchUpdates = ({ installation, hosts, log }: Scope) => {
  let seen = 0
  const look = async (): Promise<void> => {
    const state = findInterrupted(installation.dataDir)
    seen = state ? seen + 1 : 0
    if (!state || seen !== LOOKS) return
    if (!hasChanged(state)) return endUnchanged(installation.dataDir, state)
    await launchSettling(hosts.get(OWN_SERVER), installation, state)
  }
  return setInterval(() => {
    look().catch(error => log.error({ err: error }, 'an interrupted update could not be settled'))
  }, LOOK_EVERY_MS).unref()
}

/** An update that was interrupted before it changed anything ends here; one that did never gets this far. */
export const beginSystem = async (scope: Scope): Promise<Background> => {
  const { dataDir } = scope.installation
  const interrupted = findInterrupted(dataDir)
  if (interrupted && !hasChanged(interrupted)) endUnchanged(dataDir, interrupted)
  await noteVersion(scope)
  const watching = watchUpdates(scope)
  return { stop: async () => clearInterval(watching) }
}
