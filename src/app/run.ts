import { findInterrupted, hasChanged, launchSettling } from '#features/system/index.ts'
import { trustAuthorities } from '#platform/config/authorities.ts'
import { type Config, ConfigError, readConfig } from '#platform/config/config.ts'
import { MigrationError } from '#platform/db/migrate.ts'
import { unwritableReason } from '#platform/db/unwritable.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { assertNativeCrypto } from '#platform/host/ssh/native-crypto.ts'
import { freeMemoryOnceStarted } from './free-memory.ts'
import { buildPanel } from './panel.ts'
import { ROOT } from './version.ts'

const EX_CONFIG = 78

const sentenceFor = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const taken = 'code' in error && error.code === 'EADDRINUSE'
  const unwritable = unwritableReason(error)
  if (unwritable !== undefined) return `${unwritable} (${error.message})`
  return taken ? `The port is in use (${error.message}). Set FLEETPRESS_PORT to a free one.` : error.message
}

/** Neither version may open a database between the two: the old one is brought back first, by a process of its own. */
export const refuseHalfUpdated = async ({ dataDir }: Pick<Config, 'dataDir'>, root = ROOT): Promise<void> => {
  const state = findInterrupted(dataDir)
  if (!state || !hasChanged(state)) return
  await launchSettling(new LocalHost(), { root, dataDir }, state)
  throw new ConfigError(
    `The update to version ${state.to} was interrupted. It is being settled, and the panel starts again by itself.`,
  )
}

/** The panel as a process: from the environment to listening, and to a clean end on SIGTERM. */
export const runPanel = async (env: Record<string, string | undefined>): Promise<void> => {
  // Everything the panel writes is for root alone.
  process.umask(0o077)
  try {
    assertNativeCrypto()
    const config = readConfig(env)
    if (config.caFile !== undefined) trustAuthorities(config.caFile)
    await refuseHalfUpdated(config)
    const panel = await buildPanel(config)
    let stopping: Promise<void> | undefined
    const stop = () => {
      stopping ??= panel.close().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
    await panel.listen()
    freeMemoryOnceStarted()
  } catch (error) {
    process.stderr.write(`${sentenceFor(error)}\n`)
    process.exit(error instanceof ConfigError || error instanceof MigrationError ? EX_CONFIG : 1)
  }
}
