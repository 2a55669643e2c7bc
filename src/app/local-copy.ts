import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#platform/config/config.ts'
import { openDatabase } from '#platform/db/database.ts'
import { migrate } from '#platform/db/migrate.ts'
import { checkSnapshot, loadSnapshot, writeSnapshot } from '#platform/db/snapshot.ts'
import { dropTables } from '#platform/db/whole.ts'
import type { Feature } from '#platform/feature.ts'
import { features } from './features.ts'
import { sqliteFile } from './foundation.ts'
import { migrations } from './migrations.ts'
import { buildPanel } from './panel.ts'
import { VERSION } from './version.ts'

const ENDINGS = ['', '-wal', '-shm']
const COPY = 'database'

/** Copies the database of a panel that is stopped, whole and as it is. */
export const keepDatabase = async ({ dataDir, databaseUrl }: Config, folder: string): Promise<void> => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const copy = join(folder, COPY)
  if (databaseUrl === undefined) {
    for (const ending of ENDINGS) {
      rmSync(copy + ending, { force: true })
      if (existsSync(sqliteFile(dataDir) + ending)) copyFileSync(sqliteFile(dataDir) + ending, copy + ending)
    }
    return
  }
  const database = await openDatabase({ sqliteFile: '', databaseUrl })
  try {
    await writeSnapshot(database, copy, { now: Date.now(), version: VERSION, leaveOut: [] })
  } finally {
    await database.close()
  }
}

/** Restores what `keepDatabase` copied, whatever became of the database since. */
export const putDatabaseBack = async ({ dataDir, databaseUrl }: Config, folder: string): Promise<void> => {
  const copy = join(folder, COPY)
  if (databaseUrl === undefined) {
    for (const ending of ENDINGS) {
      rmSync(sqliteFile(dataDir) + ending, { force: true })
      if (existsSync(copy + ending)) copyFileSync(copy + ending, sqliteFile(dataDir) + ending)
    }
    return
  }
  const database = await openDatabase({ sqliteFile: '', databaseUrl })
  try {
    const header = await checkSnapshot(copy, () => {})
    await dropTables(database.db)
    await migrate(database.db, migrations, header.migrations.at(-1))
    await loadSnapshot(database, copy, async () => {})
  } finally {
    await database.close()
  }
}

const withoutBegin = (feature: Feature): Feature => {
  const still = { ...feature }
  delete still.begin
  return still
}

/** Opens and migrates the database, builds the panel, and asks it how it is; nothing runs by itself and no one is let in. */
export const tryPanel = async (config: Config): Promise<void> => {
  const panel = await buildPanel({ ...config, logLevel: 'silent' }, { features: features.map(withoutBegin) })
  try {
    const { statusCode } = await panel.server.inject({
      url: '/api/settings',
      headers: { host: `localhost:${config.port}` },
    })
    if (statusCode !== 401)
      throw new Error(`The new version answers with status ${statusCode} where it should ask for a sign-in.`)
  } finally {
    await panel.close()
  }
}
