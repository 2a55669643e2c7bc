import type { Kysely } from 'kysely'

interface Rows {
  site: { slug: string; created_at: number; uid: number }
}

const FIRST = 70_000

/** Every site gets a user number of its own; its files follow when it is reconciled or started. */
export const up = async (db: Kysely<Rows>): Promise<void> => {
  await db.schema
    .alterTable('site')
    .addColumn('uid', 'integer', c => c.notNull().defaultTo(0))
    .execute()
  const sites = await db.selectFrom('site').select('slug').orderBy('created_at').orderBy('slug').execute()
  for (const [at, { slug }] of sites.entries())
    await db
      .updateTable('site')
      .set({ uid: FIRST + at })
      .where('slug', '=', slug)
      .execute()
  await db.schema.createIndex('site_uid').on('site').column('uid').unique().execute()
}
