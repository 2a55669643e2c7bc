import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { migrations } from '#migrations/index.ts'
import { type Config, ConfigError } from '#platform/config/config.ts'
import { type Database, openDatabase } from '#platform/db/database.ts'
import { migrate } from '#platform/db/migrate.ts'
import type { SecretBox } from '#platform/secrets/box.ts'
import { openSecretBox } from '#platform/secrets/key-check.ts'

export const sqliteFile = (dataDir: string): string => join(dataDir, 'panel.db')

export const prepareDataDir = (dataDir: string): void => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown reason'
    throw new ConfigError(
      `The data folder ${dataDir} cannot be made (${reason}). Run as root, or set FLEETPRESS_DATA to a folder you may write to.`,
    )
  }
}

export interface Foundation {
  database: Database
  box: SecretBox
}

/** The database at its newest state and the key that opens its secrets: what the panel and the CLI both stand on. */
export const openFoundation = async (config: Config): Promise<Foundation> => {
  prepareDataDir(config.dataDir)
  const database = await openDatabase({ sqliteFile: sqliteFile(config.dataDir), databaseUrl: config.databaseUrl })
  try {
    await migrate(database.db, migrations)
    return { database, box: await openSecretBox(database.db, config.dataDir) }
  } catch (error) {
    await database.close()
    throw error
  }
}
