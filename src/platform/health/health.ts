import { statfs } from 'node:fs/promises'
import type { Db } from '#platform/db/database.ts'
import { findWriteTrouble } from '#platform/db/write-check.ts'

/** How the panel itself is. */
export interface Health {
  /** What is wrong, in words; null when the panel can save changes and runs jobs. */
  readonly problem: string | null
  readonly databaseWritable: boolean
  readonly jobsRunning: boolean
  /** Where the data folder is; null when even that cannot be read. */
  readonly diskFreeBytes: number | null
}

export interface HealthParts {
  readonly db: Db
  readonly dataDir: string
  isEngineAlive(): boolean
}

/** Each look writes to the database, so everyone who asks within this time gets the same answer. */
const LOOK_EVERY_MS = 1000
const JOBS_STALLED = 'The panel has stopped starting jobs. Restart it, and check its log for the reason.'

export const healthOf = (parts: HealthParts): (() => Promise<Health>) => {
  let known: { health: Promise<Health>; until: number } | undefined
  return () => {
    const now = performance.now()
    if (!known || known.until <= now) known = { health: look(parts), until: now + LOOK_EVERY_MS }
    return known.health
  }
}

const look = async ({ db, dataDir, isEngineAlive }: HealthParts): Promise<Health> => {
  const trouble = await findWriteTrouble(db)
  const jobsRunning = isEngineAlive()
  return {
    problem: trouble ?? (jobsRunning ? null : JOBS_STALLED),
    databaseWritable: trouble === undefined,
    jobsRunning,
    diskFreeBytes: await freeBytes(dataDir),
  }
}

const freeBytes = async (folder: string): Promise<number | null> => {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return null
  }
}
