import { type Migration, Migrator } from 'kysely/migration'
import type { Db } from './database.ts'

/** The database was written by a newer panel, or a migration failed. The panel refuses to start. */
export class MigrationError extends Error {}

/** Brings the database to the newest state. An older panel on a newer database refuses instead of guessing. */
export const migrate = async (db: Db, migrations: Record<string, Migration>, upTo?: string): Promise<string[]> => {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  try {
    const { error, results } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo))
    if (error) throw error
    return (results ?? []).map(result => result.migrationName)
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : String(error)
    const newer = /migration.*missing/.test(reason)
    throw new MigrationError(
      newer
        ? `This database was used by a newer Fleetpress (${reason}). Start that version, or restore an older snapshot.`
        : `The database can't be used: ${reason}. Fix this, then start again.`,
      { cause: error },
    )
  }
}
