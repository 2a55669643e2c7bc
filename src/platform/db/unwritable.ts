const FULL = "The panel's disk is full, so nothing can be saved. Free some space; the panel then resumes by itself."
const READ_ONLY =
  "The panel's disk is read-only, so nothing can be saved. Check the disk, then mount it writable again."
const FAILING = "The panel's disk is failing, so nothing can be saved. Check the system log."
const DAMAGED = "The panel's database is damaged. Restart the panel; it then tells you which snapshot to restore."
const DATABASE_FULL = "The database server's disk is full, so nothing can be saved. Free some space on it."
const DATABASE_READ_ONLY = 'The database is read-only. Check that the panel is connected to the primary server.'
const DATABASE_AWAY = 'The database server is starting, stopping or out of connections. Try again in a moment.'

type Reasons = readonly (readonly [beginningOfCode: string, reason: string])[]

const OF_DATABASE: Reasons = [
  ['SQLITE_FULL', FULL],
  ['SQLITE_READONLY', READ_ONLY],
  ['SQLITE_IOERR', FAILING],
  ['SQLITE_CANTOPEN', FAILING],
  ['SQLITE_CORRUPT', DAMAGED],
  ['SQLITE_NOTADB', DAMAGED],
  ['53100', DATABASE_FULL],
  ['25006', DATABASE_READ_ONLY],
  ['53300', DATABASE_AWAY],
  ['57P0', DATABASE_AWAY],
  ['08', DATABASE_AWAY],
]

const OF_FILES: Reasons = [
  ['ENOSPC', FULL],
  ['EDQUOT', FULL],
  ['EROFS', READ_ONLY],
  ['EIO', FAILING],
]

const reasonAmong = (reasons: Reasons, error: unknown): string | undefined => {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return undefined
  const { code } = error
  return reasons.find(([beginning]) => code.startsWith(beginning))?.[1]
}

/** The file itself is broken: waiting does not help, only a snapshot does. */
export const isDatabaseDamaged = (error: unknown): boolean => reasonAmong(OF_DATABASE, error) === DAMAGED

/** Why the panel cannot save anything at the moment, in words; undefined for every other error. */
export const unwritableReason = (error: unknown): string | undefined =>
  reasonAmong([...OF_DATABASE, ...OF_FILES], error)

/** The database took nothing, so nothing was done on record, and the same may be tried again later. */
export const isDatabaseUnwritable = (error: unknown): boolean => reasonAmong(OF_DATABASE, error) !== undefined
