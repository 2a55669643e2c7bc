import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { restoreSnapshot as loadIntoDatabase, panelSnapshot, SnapshotResult } from '#features/panel/index.ts'
import { type Config, ConfigError } from '#platform/config/config.ts'
import { TERMINAL } from '#platform/contract/job.ts'
import { openDatabase } from '#platform/db/database.ts'
import { takeDataLock } from '#platform/db/lock.ts'
import { migrate } from '#platform/db/migrate.ts'
import { ensurePrivate } from '#platform/db/private-file.ts'
import { checkSnapshot, SnapshotError, type SnapshotHeader, sha256Of } from '#platform/db/snapshot.ts'
import { listMigrations } from '#platform/db/whole.ts'
import { findJob } from '#platform/jobs/job-store.ts'
import { listLogLines } from '#platform/jobs/log-store.ts'
import type { Scope } from '#platform/scope.ts'
import { secretBox } from '#platform/secrets/box.ts'
import { KEY_CHECK, opensKeyCheck } from '#platform/secrets/key-check.ts'
import { findMasterKey, MASTER_KEY_FILE } from '#platform/secrets/master-key.ts'
import { prepareDataDir, sqliteFile } from './foundation.ts'
import { withLocalScope } from './local-scope.ts'
import { migrations } from './migrations.ts'
import { buildPanel } from './panel.ts'

const POLL_MS = 200

/** Asks the running panel for a snapshot; where none runs, does the job here. */
export const takeSnapshot = async (
  config: Config,
  onLine: (text: string) => void,
): Promise<{ file: string; sha256: string; sizeBytes: number }> => {
  prepareDataDir(config.dataDir)
  const lock = takeDataLock(config.dataDir)
  lock?.release()
  return lock ? takeWithoutPanel(config, onLine) : withLocalScope(config, scope => enqueueAndFollow(scope, onLine))
}

const takeWithoutPanel = async (config: Config, onLine: (text: string) => void) => {
  const panel = await buildPanel({ ...config, logLevel: 'silent' })
  try {
    await panel.engine.start()
    return await withLocalScope(config, scope => enqueueAndFollow(scope, onLine))
  } finally {
    await panel.close()
  }
}

const enqueueAndFollow = async (scope: Scope, onLine: (text: string) => void) => {
  const { id } = await scope.jobs.enqueue(panelSnapshot, {})
  let seen = 0
  for (;;) {
    const row = await findJob(scope.db, id)
    for (const line of await listLogLines(scope.db, id, seen, 1000)) {
      seen = line.seq
      onLine(line.text)
    }
    if (!row) throw new Error('the job disappeared')
    if (row.status === 'succeeded') return SnapshotResult.parse(scope.jobs.showWhole(row).result)
    if (TERMINAL.includes(row.status)) throw new Error(row.error_message ?? 'the job failed')
    await sleep(POLL_MS)
  }
}

/** Replaces this panel's database by a snapshot. The file is read to its end before anything is touched. */
export const restoreSnapshot = async (
  config: Config,
  file: string,
  onLine: (text: string) => void,
): Promise<{ tables: number; rows: number }> => {
  prepareDataDir(config.dataDir)
  const lock = takeDataLock(config.dataDir)
  if (!lock) throw new ConfigError('The panel is running. Stop it with `./fleetpress down`, then restore.')
  try {
    await checkHash(file)
    const header = await checkWithKey(config.dataDir, file)
    onLine(`Snapshot of version ${header.version}, taken ${new Date(header.createdAt).toISOString()}.`)
    refuseNewer(header)
    return config.databaseUrl === undefined
      ? await intoNewSqlite(config, file, header, onLine)
      : await intoPostgres(config.databaseUrl, file, header)
  } finally {
    lock.release()
  }
}

const checkHash = async (file: string) => {
  if (!existsSync(file)) throw new ConfigError(`There is no file ${file}.`)
  const hashFile = `${file}.sha256`
  if (!existsSync(hashFile)) return
  const expected = readFileSync(hashFile, 'utf8').split(' ')[0]
  if (expected !== (await sha256Of(file)))
    throw new SnapshotError(`it is damaged: its checksum is not the one in ${hashFile}`)
}

/** A key that is there must be the one of the snapshot; one that is missing can still be put there. */
const checkWithKey = async (dataDir: string, file: string): Promise<SnapshotHeader> => {
  let keyCheck: string | undefined
  const header = await checkSnapshot(file, (table, row) => {
    if (table === 'panel_meta' && row.name === KEY_CHECK) keyCheck = String(row.value)
  })
  const key = findMasterKey(dataDir)
  if (key && keyCheck !== undefined && !opensKeyCheck(secretBox(key), keyCheck))
    throw new ConfigError(
      `${join(dataDir, MASTER_KEY_FILE)} is not the master key of this snapshot. Copy the key of the snapshot's panel there, then restore again.`,
    )
  return header
}

const refuseNewer = (header: SnapshotHeader) => {
  const unknown = header.migrations.find(name => !(name in migrations))
  if (unknown)
    throw new ConfigError(`The snapshot is from a newer Fleetpress (${header.version}). Install that version first.`)
}

const load = async (
  target: { sqliteFile: string; databaseUrl: string | undefined },
  file: string,
  header: SnapshotHeader,
) => {
  const database = await openDatabase(target)
  try {
    await migrate(database.db, migrations, header.migrations.at(-1))
    const loaded = await loadIntoDatabase(database, file, Date.now())
    await migrate(database.db, migrations)
    return loaded
  } finally {
    await database.close()
  }
}

/** A new file takes the place of the old one at the very end; the old one is kept next to it. */
const intoNewSqlite = async (config: Config, file: string, header: SnapshotHeader, onLine: (text: string) => void) => {
  const current = sqliteFile(config.dataDir)
  const fresh = `${current}.restoring`
  const clear = () => {
    for (const ending of ['', '-wal', '-shm']) rmSync(fresh + ending, { force: true })
  }
  clear()
  const loaded = await load({ sqliteFile: fresh, databaseUrl: undefined }, file, header).catch((error: unknown) => {
    clear()
    throw error
  })
  if (existsSync(current)) {
    ensurePrivate(current)
    const kept = `${current}.before-restore-${Date.now()}`
    for (const ending of ['-wal', '-shm', ''])
      if (existsSync(current + ending)) renameSync(current + ending, kept + ending)
    onLine(`The previous database is kept in ${kept}.`)
  }
  renameSync(fresh, current)
  return loaded
}

const intoPostgres = async (databaseUrl: string, file: string, header: SnapshotHeader) => {
  const database = await openDatabase({ sqliteFile: '', databaseUrl })
  const there = await listMigrations(database.db).catch(() => [])
  await database.close()
  if (there.length > header.migrations.length)
    throw new ConfigError('This database is newer than the snapshot. Restore into an empty database.')
  return load({ sqliteFile: '', databaseUrl }, file, header)
}
