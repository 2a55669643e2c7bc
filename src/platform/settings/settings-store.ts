import type { Db } from '#platform/db/database.ts'

export const findSection = async (db: Db, section: string): Promise<Record<string, unknown>> => {
  const row = await db.selectFrom('setting').select('value').where('section', '=', section).executeTakeFirst()
  return row ? (JSON.parse(row.value) as Record<string, unknown>) : {}
}

/** Makes other changes of this section wait for this transaction, so that none writes over another. */
export const lockSection = async (db: Db, section: string, now: number): Promise<void> => {
  await db
    .insertInto('setting')
    .values({ section, value: '{}', updated_at: now })
    .onConflict(conflict => conflict.column('section').doUpdateSet({ updated_at: now }))
    .execute()
}

export const saveSection = async (
  db: Db,
  section: string,
  value: Record<string, unknown>,
  now: number,
): Promise<void> => {
  const changed = { value: JSON.stringify(value), updated_at: now }
  await db
    .insertInto('setting')
    .values({ section, ...changed })
    .onConflict(conflict => conflict.column('section').doUpdateSet(changed))
    .execute()
}
