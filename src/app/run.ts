import { trustAuthorities } from '#platform/config/authorities.ts'
import { ConfigError, readConfig } from '#platform/config/config.ts'
import { MigrationError } from '#platform/db/migrate.ts'
import { unwritableReason } from '#platform/db/unwritable.ts'
import { assertNativeCrypto } from '#platform/host/ssh/native-crypto.ts'
import { buildPanel } from './panel.ts'

const EX_CONFIG = 78

const sentenceFor = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const taken = 'code' in error && error.code === 'EADDRINUSE'
  const unwritable = unwritableReason(error)
  if (unwritable !== undefined) return `${unwritable} (${error.message})`
  return taken ? `The port is in use (${error.message}). Set FLEETPRESS_PORT to a free one.` : error.message
}

/** The panel as a process: from the environment to listening, and to a clean end on SIGTERM. */
export const runPanel = async (env: Record<string, string | undefined>): Promise<void> => {
  // Everything the panel writes is for root alone.
  process.umask(0o077)
  try {
    assertNativeCrypto()
    const config = readConfig(env)
    if (config.caFile !== undefined) trustAuthorities(config.caFile)
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
  } catch (error) {
    process.stderr.write(`${sentenceFor(error)}\n`)
    process.exit(error instanceof ConfigError || error instanceof MigrationError ? EX_CONFIG : 1)
  }
}
