import type { Db } from './database.ts'
import { deleteMeta, insertMeta } from './meta-store.ts'
import { unwritableReason } from './unwritable.ts'

const NAME = 'write-check'

/** Why nothing can be saved, or undefined. A real write that leaves everything as it was. */
export const findWriteTrouble = async (db: Db): Promise<string | undefined> => {
  try {
    await db.transaction().execute(async trx => {
      await insertMeta(trx, NAME, '')
      await deleteMeta(trx, NAME)
    })
    return undefined
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return unwritableReason(error) ?? `The database can't be written to: ${message}.`
  }
}
