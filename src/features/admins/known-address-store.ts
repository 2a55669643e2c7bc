import type { Db } from '#platform/db/database.ts'

/** Asked for an account no one has as well, so that the answer takes as long. */
export const isKnownAddress = async (db: Db, adminId: string | undefined, address: string): Promise<boolean> => {
  const row = await db
    .selectFrom('known_address')
    .select('last_used_at')
    .where('admin_id', '=', adminId ?? '')
    .where('address', '=', address)
    .executeTakeFirst()
  return row !== undefined
}

/** Notes that someone signed in from there; of each person the newest `keep` addresses stay. */
export const rememberAddress = async (
  db: Db,
  { adminId, address, now, keep }: { adminId: string; address: string; now: number; keep: number },
): Promise<void> => {
  await db
    .insertInto('known_address')
    .values({ admin_id: adminId, address, last_used_at: now })
    .onConflict(conflict => conflict.columns(['admin_id', 'address']).doUpdateSet({ last_used_at: now }))
    .execute()
  const oldest = await db
    .selectFrom('known_address')
    .select('last_used_at')
    .where('admin_id', '=', adminId)
    .orderBy('last_used_at', 'desc')
    .offset(keep)
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return
  await db
    .deleteFrom('known_address')
    .where('admin_id', '=', adminId)
    .where('last_used_at', '<=', oldest.last_used_at)
    .execute()
}

export const deleteAddressesBefore = async (db: Db, before: number): Promise<void> => {
  await db.deleteFrom('known_address').where('last_used_at', '<', before).execute()
}
