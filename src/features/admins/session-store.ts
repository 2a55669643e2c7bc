import type { Db } from '#platform/db/database.ts'
import type { SessionTable } from './tables.ts'

export type SessionRow = SessionTable

export const insertSession = async (db: Db, row: SessionRow): Promise<void> => {
  await db.insertInto('session').values(row).execute()
}

/** A session with the person it belongs to; nothing for one whose person is locked out. */
export const findSession = (db: Db, tokenHash: string) =>
  db
    .selectFrom('session')
    .innerJoin('admin', 'admin.id', 'session.admin_id')
    .select([
      'session.id',
      'session.admin_id',
      'session.last_seen_at',
      'session.expires_at',
      'session.created_at',
      'admin.name',
    ])
    .where('session.token_hash', '=', tokenHash)
    .where('admin.disabled', '=', 0)
    .executeTakeFirst()

export const listSessions = (db: Db, adminId: string, now: number): Promise<SessionRow[]> =>
  db
    .selectFrom('session')
    .selectAll()
    .where('admin_id', '=', adminId)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .execute()

export const touchSession = async (db: Db, id: string, seenAt: number, expiresAt: number): Promise<void> => {
  await db.updateTable('session').set({ last_seen_at: seenAt, expires_at: expiresAt }).where('id', '=', id).execute()
}

export const deleteSession = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('session').where('id', '=', id).execute()
}

export interface WhichSessions {
  except?: string | undefined
  only?: string | undefined
}

/** Ends a person's sessions. Returns how many. */
export const deleteSessionsOf = async (db: Db, adminId: string, { except, only }: WhichSessions): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('session')
    .where('admin_id', '=', adminId)
    .$if(except !== undefined, query => query.where('id', '!=', except ?? ''))
    .$if(only !== undefined, query => query.where('id', '=', only ?? ''))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export const deleteExpiredSessions = async (db: Db, now: number): Promise<number> => {
  const { numDeletedRows } = await db.deleteFrom('session').where('expires_at', '<=', now).executeTakeFirst()
  return Number(numDeletedRows)
}
