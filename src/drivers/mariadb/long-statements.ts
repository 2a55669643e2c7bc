import { z } from 'zod'
import type { Mariadb } from './connection.ts'
import { checkName } from './names.ts'

/** The lock that watch-sessions in the image of the database looks for; it goes with the session, whatever happens. */
const lockOf = (account: string) => `fleetpress:${checkName(account)}`

/** While it works, statements of this account are not ended for taking long: one reads a whole table to copy it. */
export const withLongStatements = async <T>(db: Mariadb, account: string, work: () => Promise<T>): Promise<T> => {
  await db.query(z.unknown(), 'SELECT GET_LOCK(?, 0)', [lockOf(account)])
  try {
    return await work()
  } finally {
    await db.query(z.unknown(), 'SELECT RELEASE_LOCK(?)', [lockOf(account)])
  }
}
