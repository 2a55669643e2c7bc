import type { Db } from '#platform/db/database.ts'

export const findSection = async (db: Db, section: string): Promise<Record<string, unknown>> => {
  const row = await db.selectFrom('setting').select('value').where('section', '=', section).executeTakeFirst()
  return row ? (JSON.parse(row.value) as Record<string, unknown>) : {}
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
