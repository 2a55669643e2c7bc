import { Problem } from '#platform/contract/problem.ts'
import { type Db, isUniqueViolation } from '#platform/db/database.ts'
import type { FtpLoginTable } from './tables.ts'

export type LoginRow = FtpLoginTable

/** By name. */
export const listLogins = (db: Db, slugs: readonly string[]): Promise<LoginRow[]> =>
  slugs.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('ftp_login')
        .selectAll()
        .where('site_slug', 'in', [...slugs])
        .orderBy('username')
        .execute()

export const getLogin = async (db: Db, slug: string, id: string): Promise<LoginRow> => {
  const row = await db
    .selectFrom('ftp_login')
    .selectAll()
    .where('site_slug', '=', slug)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new Problem('not_found', `${slug} has no such FTP login.`)
  return row
}

export const insertLogin = async (db: Db, row: LoginRow): Promise<void> => {
  try {
    await db.insertInto('ftp_login').values(row).execute()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new Problem('conflict', `The username ${row.username} is taken. Choose another one.`, {
      username: row.username,
    })
  }
}

export const changeLogin = async (
  db: Db,
  { id }: Pick<LoginRow, 'id'>,
  change: Partial<Pick<LoginRow, 'folder' | 'expires_at' | 'password_hash' | 'password_changed_at'>>,
): Promise<void> => {
  await db
    .updateTable('ftp_login')
    .set(set => ({ ...change, revision: set('revision', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** The open sessions of all logins of the site end. */
export const renewLogins = async (db: Db, slug: string): Promise<void> => {
  await db
    .updateTable('ftp_login')
    .set(set => ({ revision: set('revision', '+', 1) }))
    .where('site_slug', '=', slug)
    .execute()
}

export const deleteLogin = async (db: Db, { id }: Pick<LoginRow, 'id'>): Promise<void> => {
  await db.deleteFrom('ftp_login').where('id', '=', id).execute()
}

export const deleteLoginsOf = async (db: Db, slug: string): Promise<void> => {
  await db.deleteFrom('ftp_login').where('site_slug', '=', slug).execute()
}
