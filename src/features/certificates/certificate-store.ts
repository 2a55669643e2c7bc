import type { Db } from '#platform/db/database.ts'
import type { AcmeAccountTable, CertificateTable } from './tables.ts'

export type AcmeAccountRow = AcmeAccountTable
export type CertificateRow = CertificateTable

export const findAccount = (db: Db, serverId: number): Promise<AcmeAccountRow | undefined> =>
  db.selectFrom('acme_account').selectAll().where('server_id', '=', serverId).executeTakeFirst()

/** The first one stays when two are made at once. */
export const insertAccount = async (db: Db, row: AcmeAccountRow): Promise<void> => {
  await db
    .insertInto('acme_account')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

export const changeAccount = async (db: Db, serverId: number, part: Partial<AcmeAccountRow>): Promise<void> => {
  await db.updateTable('acme_account').set(part).where('server_id', '=', serverId).execute()
}

/** False when another attempt was noted in the meantime. */
export const noteAttempt = async (db: Db, serverId: number, before: string, after: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('acme_account')
    .set({ recent_attempts: after })
    .where('server_id', '=', serverId)
    .where('recent_attempts', '=', before)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const listCertificates = (db: Db, serverId: number): Promise<CertificateRow[]> =>
  db.selectFrom('certificate').selectAll().where('server_id', '=', serverId).orderBy('id').execute()

export const listCertificatesOfAll = (db: Db): Promise<CertificateRow[]> =>
  db.selectFrom('certificate').selectAll().orderBy('id').execute()

export const findCertificate = (db: Db, serverId: number, names: string): Promise<CertificateRow | undefined> =>
  db
    .selectFrom('certificate')
    .selectAll()
    .where('server_id', '=', serverId)
    .where('names', '=', names)
    .executeTakeFirst()

export const getCertificate = (db: Db, id: string): Promise<CertificateRow> =>
  db.selectFrom('certificate').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** The first one stays when two are made at once. */
export const insertCertificate = async (db: Db, row: CertificateRow): Promise<void> => {
  await db
    .insertInto('certificate')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

export const changeCertificate = async (db: Db, id: string, part: Partial<CertificateRow>): Promise<void> => {
  await db.updateTable('certificate').set(part).where('id', '=', id).execute()
}

/** The first order stays when two are placed at once, so that only one of them becomes a certificate. */
export const keepOrder = async (
  db: Db,
  id: string,
  order: Pick<CertificateRow, 'order_url' | 'order_sealed_key'>,
): Promise<void> => {
  await db.updateTable('certificate').set(order).where('id', '=', id).where('order_url', 'is', null).execute()
}

/** They belong to an authority that is no longer asked. */
export const forgetOrders = async (db: Db, serverId: number): Promise<void> => {
  await db
    .updateTable('certificate')
    .set({ order_url: null, order_sealed_key: null })
    .where('server_id', '=', serverId)
    .execute()
}

export const deleteCertificate = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('certificate').where('id', '=', id).execute()
}

/** Missing, to be renewed, or not yet at its server; those that failed least come first, then the most urgent. */
export const dueCertificates = (db: Db, now: number): Promise<CertificateRow[]> =>
  onKeptServers(db)
    .where(where =>
      where.or([
        where('serial', 'is', null),
        where('renew_at', '<=', now),
        where('pushed_serial', 'is', null),
        where('pushed_serial', '!=', where.ref('serial')),
      ]),
    )
    .where(where => where.or([where('next_attempt_at', 'is', null), where('next_attempt_at', '<=', now)]))
    .orderBy('attempts')
    .orderBy('not_after')
    .orderBy('certificate.id')
    .execute()

/** Those whose authority is to be asked again when they should be renewed. */
export const uncheckedCertificates = (db: Db, now: number, limit: number): Promise<CertificateRow[]> =>
  onKeptServers(db)
    .where('renewal_check_at', '<=', now)
    .where('renew_at', '>', now)
    .orderBy('renewal_check_at')
    .limit(limit)
    .execute()

const onKeptServers = (db: Db) =>
  db
    .selectFrom('certificate')
    .innerJoin('server', 'server.id', 'certificate.server_id')
    .where('server.deleted_at', 'is', null)
    .selectAll('certificate')
