import type { Db } from '#platform/db/database.ts'
import type { AdminTable } from './tables.ts'

export type AdminRow = AdminTable

export const normalEmail = (email: string): string => email.toLowerCase()

export const insertAdmin = async (db: Db, row: AdminRow): Promise<void> => {
  await db.insertInto('admin').values(row).execute()
}

export const findAdmin = (db: Db, id: string): Promise<AdminRow | undefined> =>
  db.selectFrom('admin').selectAll().where('id', '=', id).executeTakeFirst()

export const findAdminByEmail = (db: Db, email: string): Promise<AdminRow | undefined> =>
  db.selectFrom('admin').selectAll().where('email', '=', normalEmail(email)).executeTakeFirst()

export const findOwner = (db: Db): Promise<AdminRow | undefined> =>
  db.selectFrom('admin').selectAll().where('owner', '=', 1).executeTakeFirst()

export const listAdmins = (db: Db): Promise<AdminRow[]> => db.selectFrom('admin').selectAll().orderBy('id').execute()

export const updateAdmin = (db: Db, id: string, changes: Partial<AdminRow>): Promise<AdminRow | undefined> =>
  db.updateTable('admin').set(changes).where('id', '=', id).returningAll().executeTakeFirst()

export const deleteAdmin = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('admin').where('id', '=', id).where('owner', 'is', null).execute()
}

/** True for exactly one caller per time step, however many come with the same code at once. */
export const spendTotpStep = async (db: Db, id: string, step: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('admin')
    .set({ totp_last_step: step })
    .where('id', '=', id)
    .where('totp_last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Takes one recovery code away; false when someone else changed the list in between. */
export const replaceRecoveryCodes = async (db: Db, id: string, before: string, after: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('admin')
    .set({ recovery_codes: after })
    .where('id', '=', id)
    .where('recovery_codes', '=', before)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
