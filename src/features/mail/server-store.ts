import type { Db } from '#platform/db/database.ts'
import type { MailServerTable } from './tables.ts'

const newRow = (serverId: number): MailServerTable => ({
  server_id: serverId,
  hostname: null,
  positions: '{}',
  read_at: null,
  queued: null,
  queued_earlier: null,
  earlier_at: null,
  reverse_dns: null,
  reverse_checked_at: null,
})

export const findMailServer = async (db: Db, serverId: number): Promise<MailServerTable> => {
  const row = await db.selectFrom('mail_server').selectAll().where('server_id', '=', serverId).executeTakeFirst()
  return row ?? newRow(serverId)
}

export const listMailServers = (db: Db): Promise<MailServerTable[]> =>
  db.selectFrom('mail_server').selectAll().execute()

export const ensureMailServer = async (db: Db, serverId: number): Promise<void> => {
  await db
    .insertInto('mail_server')
    .values(newRow(serverId))
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

export const changeMailServer = async (
  db: Db,
  serverId: number,
  part: Partial<Omit<MailServerTable, 'server_id' | 'positions' | 'read_at'>>,
): Promise<void> => {
  await ensureMailServer(db, serverId)
  await db.updateTable('mail_server').set(part).where('server_id', '=', serverId).execute()
}

export const deleteMailServer = async (db: Db, serverId: number): Promise<void> => {
  await db.deleteFrom('mail_server').where('server_id', '=', serverId).execute()
}
