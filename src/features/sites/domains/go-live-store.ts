import type { Db } from '#platform/db/database.ts'
import type { SiteGoLiveTable } from '../tables.ts'

export type GoLiveRow = SiteGoLiveTable

/** A plan from before is replaced. */
export const insertGoLive = async (db: Db, slug: string, hostnames: readonly string[], now: number): Promise<void> => {
  const row = {
    site_slug: slug,
    hostnames: JSON.stringify(hostnames),
    problem: null,
    attempts: 0,
    next_attempt_at: null,
  }
  await db
    .insertInto('site_go_live')
    .values({ ...row, created_at: now })
    .onConflict(conflict => conflict.column('site_slug').doUpdateSet(row))
    .execute()
}

export const findGoLive = (db: Db, slug: string): Promise<GoLiveRow | undefined> =>
  db.selectFrom('site_go_live').selectAll().where('site_slug', '=', slug).executeTakeFirst()

export const listGoLives = (db: Db): Promise<GoLiveRow[]> =>
  db.selectFrom('site_go_live').selectAll().orderBy('site_slug').execute()

/** Of running sites, and not before the pause after the last attempt is over. */
export const listDueGoLives = (db: Db, now: number): Promise<GoLiveRow[]> =>
  db
    .selectFrom('site_go_live')
    .innerJoin('site', 'site.slug', 'site_go_live.site_slug')
    .selectAll('site_go_live')
    .where('site.status', '=', 'running')
    .where(where => where.or([where('next_attempt_at', 'is', null), where('next_attempt_at', '<=', now)]))
    .orderBy('site_slug')
    .execute()

export const changeGoLive = async (db: Db, slug: string, part: Partial<GoLiveRow>): Promise<void> => {
  await db.updateTable('site_go_live').set(part).where('site_slug', '=', slug).execute()
}

export const deleteGoLive = async (db: Db, slug: string): Promise<void> => {
  await db.deleteFrom('site_go_live').where('site_slug', '=', slug).execute()
}

export const namesIn = ({ hostnames }: GoLiveRow): string[] => JSON.parse(hostnames) as string[]
