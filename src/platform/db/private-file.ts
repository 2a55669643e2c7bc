import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'

/** SQLite gives the files next to its own the mode of the first. */
const BESIDE = ['-wal', '-shm', '-journal']

/** Makes a database file for its owner alone before SQLite makes it for everyone; one that is open to others is closed. */
export const ensurePrivate = (file: string): void => {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  for (const one of [file, ...BESIDE.map(ending => file + ending)])
    if (existsSync(one) && (statSync(one).mode & 0o077) !== 0) chmodSync(one, 0o600)
}
