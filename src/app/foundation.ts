import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { findNewestSnapshot } from '#features/panel/index.ts'
import { type Config, ConfigError } from '#platform/config/config.ts'
import { type Database, openDatabase } from '#platform/db/database.ts'
import { MigrationError, migrate } from '#platform/db/migrate.ts'
import { isDatabaseDamaged } from '#platform/db/unwritable.ts'
import type { SecretBox } from '#platform/secrets/box.ts'
import { openSecretBox } from '#platform/secrets/key-check.ts'
import { migrations } from './migrations.ts'

export const sqliteFile = (dataDir: string): string => join(dataDir, 'panel.db')

export const prepareDataDir = (dataDir: string): void => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown reason'
    throw new ConfigError(
      `The data folder ${dataDir} can't be created (${reason}). Run as root, or set FLEETPRESS_DATA to a folder you can write to.`,
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
  try {
    return await openBoth(config)
  } catch (error) {
    const isDamaged = isDatabaseDamaged(error) || (error instanceof MigrationError && isDatabaseDamaged(error.cause))
    throw isDamaged ? await damagedDatabase(config.dataDir) : error
  }
}

const openBoth = async ({ dataDir, databaseUrl }: Config): Promise<Foundation> => {
  const database = await openDatabase({ sqliteFile: sqliteFile(dataDir), databaseUrl })
  try {
    await migrate(database.db, migrations)
    return { database, box: await openSecretBox(database.db, dataDir) }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Which snapshot to restore, and how. */
const damagedDatabase = async (dataDir: string): Promise<ConfigError> => {
  const newest = await findNewestSnapshot(dataDir)
  const advice = newest
    ? `Restore the newest snapshot, taken ${new Date(newest.takenAt).toISOString()}: ./fleetpress restore ${newest.file}`
    : 'There is no snapshot in the data folder. Restore a copy from elsewhere: ./fleetpress restore FILE'
  return new ConfigError(`The database ${sqliteFile(dataDir)} is damaged. ${advice}`)
}
