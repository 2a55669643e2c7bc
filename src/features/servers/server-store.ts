import { Problem } from '#platform/contract/problem.ts'
import { type Db, isUniqueViolation } from '#platform/db/database.ts'
import type { ServerTable, SshKeyTable } from './tables.ts'

export type ServerRow = ServerTable
export type SshKeyRow = SshKeyTable

const kept = (db: Db) => db.selectFrom('server').selectAll().where('deleted_at', 'is', null)

export const listServers = (db: Db): Promise<ServerRow[]> => kept(db).orderBy('id').execute()

export const findServer = (db: Db, id: number): Promise<ServerRow | undefined> =>
  kept(db).where('id', '=', id).executeTakeFirst()

export const getServer = async (db: Db, id: number): Promise<ServerRow> => {
  const row = await findServer(db, id)
  if (!row) throw new Problem('not_found', `There is no server ${id}.`)
  return row
}

/** With the next free number; the numbers of deleted servers are not used again. */
export const insertServer = async (db: Db, row: Omit<ServerRow, 'id'>): Promise<ServerRow> => {
  const { last } = await db
    .selectFrom('server')
    .select(select => select.fn.max('id').as('last'))
    .executeTakeFirstOrThrow()
  const numbered = { ...row, id: last + 1 }
  await unlessTaken(() => db.insertInto('server').values(numbered).execute())
  return numbered
}

export const changeServer = async (db: Db, id: number, part: Partial<Omit<ServerRow, 'id'>>): Promise<void> => {
  if (Object.keys(part).length === 0) return
  await unlessTaken(() =>
    db.updateTable('server').set(part).where('id', '=', id).where('deleted_at', 'is', null).execute(),
  )
}

/** Pins the first key a server shows; false when another was pinned in the meantime. */
export const pinHostKey = async (db: Db, id: number, hostKey: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('server')
    .set({ host_key: hostKey })
    .where('id', '=', id)
    .where(where => where.or([where('host_key', 'is', null), where('host_key', '=', hostKey)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The first one stays when two are made at once; returns the one that counts. */
export const keepDatabasePassword = async (db: Db, id: number, sealed: string): Promise<string> => {
  await db
    .updateTable('server')
    .set({ sealed_database_password: sealed })
    .where('id', '=', id)
    .where('sealed_database_password', 'is', null)
    .execute()
  return (await getServer(db, id)).sealed_database_password ?? sealed
}

export const findSshKey = (db: Db): Promise<SshKeyRow | undefined> =>
  db.selectFrom('ssh_key').selectAll().executeTakeFirst()

/** The first one stays when two are made at once. */
export const insertSshKey = async (db: Db, row: SshKeyRow): Promise<void> => {
  await db
    .insertInto('ssh_key')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

const unlessTaken = async (write: () => Promise<unknown>): Promise<void> => {
  try {
    await write()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new Problem(
      'conflict',
      'Another server already has this name, this address and port, or this default domain.',
    )
  }
}
