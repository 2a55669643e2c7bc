import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '#platform/db/database.ts'
import { loadSnapshot, type SnapshotFile, writeSnapshot } from '#platform/db/snapshot.ts'
import type { Host } from '#platform/host/host.ts'
import { failActiveJobs } from '#platform/jobs/job-store.ts'

export const SNAPSHOTS = 'snapshots'
const ENDING = '.fpsnap'
/**
 * What means nothing on another machine or after the fact: signed-in browsers, counters, held lanes, and links, which
 * would work a second time after a restore.
 */
const LEAVE_OUT = [
  'session',
  'one_time_token',
  'failed_attempt',
  'lane_hold',
  'job_lane',
  'mcp_code',
  'mcp_confirmation',
  'mcp_token',
]

export const snapshotFolder = (dataDir: string): string => join(dataDir, SNAPSHOTS)

/** `name` makes a repeated step write the same file again instead of a second one. */
export const takeSnapshot = (
  database: Database,
  folder: string,
  about: { name: string; now: number; version: string },
): Promise<SnapshotFile> =>
  writeSnapshot(database, join(folder, `${about.name}${ENDING}`), {
    now: about.now,
    version: about.version,
    leaveOut: LEAVE_OUT,
  })

export const restoreSnapshot = (
  database: Database,
  file: string,
  now: number,
): Promise<{ tables: number; rows: number }> =>
  loadSnapshot(database, file, async db => {
    await failActiveJobs(
      db,
      'restored',
      'The panel was restored from a snapshot while this job was active. Check the result, then start it again.',
      now,
    )
  })

export interface KeptSnapshot {
  readonly file: string
  readonly takenAt: number
}

/** In the panel's own folder; needs no database, so that it can be named when that is lost. */
export const findNewestSnapshot = async (dataDir: string): Promise<KeptSnapshot | undefined> => {
  const folder = snapshotFolder(dataDir)
  const names = await readdir(folder).catch(() => [])
  const kept = await Promise.all(
    names
      .filter(name => name.endsWith(ENDING))
      .map(async name => ({ file: join(folder, name), takenAt: Math.floor((await stat(join(folder, name))).mtimeMs) })),
  )
  return kept.toSorted((a, b) => b.takenAt - a.takenAt)[0]
}

/** Oldest first: the names start with the time. */
export const listSnapshots = async (host: Host, dataDir: string): Promise<string[]> => {
  const entries = await host.listDir(snapshotFolder(dataDir)).catch(() => [])
  return entries
    .map(entry => entry.name)
    .filter(name => name.endsWith(ENDING))
    .toSorted()
}

export const pruneSnapshots = async (host: Host, dataDir: string, keep: number): Promise<number> => {
  const old = (await listSnapshots(host, dataDir)).slice(0, -keep)
  for (const name of old) {
    await host.removeFile(join(snapshotFolder(dataDir), name))
    await host.removeFile(join(snapshotFolder(dataDir), `${name}.sha256`))
  }
  return old.length
}
