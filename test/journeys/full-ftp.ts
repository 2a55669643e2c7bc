import { insertLogin } from '#features/ftp/login-store.ts'
import { newId } from '#platform/db/id.ts'
import type { TestPanel } from '../support/panel.ts'

const DAY_MS = 86_400_000

const LOGINS = [
  { name: 'agency', folder: '', days: null },
  { name: 'freelancer', folder: 'wp-content/themes/sunrise', days: 3 },
  { name: 'photographer', folder: 'wp-content/uploads', days: -2 },
] as const

/** Every site has a login that lasts, one that expires soon and one that has expired. */
export const fillFtp = async ({ foundation: { database } }: TestPanel, now: number): Promise<void> => {
  const sites = await database.db.selectFrom('site').select('slug').execute()
  for (const { slug } of sites) {
    for (const { name, folder, days } of LOGINS)
      await insertLogin(database.db, {
        id: newId(now),
        site_slug: slug,
        username: `${name}.${slug}`.slice(0, 32),
        password_hash: '$7$',
        folder,
        expires_at: days === null ? null : now + days * DAY_MS,
        revision: 1,
        created_at: now - 20 * DAY_MS,
        password_changed_at: now - 5 * DAY_MS,
      })
  }
}
