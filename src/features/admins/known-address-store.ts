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

export interface AdminAddress {
  readonly address: string
  readonly name: string
  readonly lastUsedAt: number
}

/** Where admins signed in from or used the panel since then, of IPv6 the session's own address or a /64. */
export const listAdminAddresses = async (db: Db, since: number): Promise<AdminAddress[]> => {
  const signedIn = await db
    .selectFrom('known_address')
    .innerJoin('admin', 'admin.id', 'known_address.admin_id')
    .select(['known_address.address', 'admin.name', 'known_address.last_used_at as lastUsedAt'])
    .where('known_address.last_used_at', '>=', since)
    .execute()
  const working = await db
    .selectFrom('session')
    .innerJoin('admin', 'admin.id', 'session.admin_id')
    .select(['session.address', 'admin.name', 'session.last_seen_at as lastUsedAt'])
    .where('session.last_seen_at', '>=', since)
    .execute()
  return [...signedIn, ...working]
}
