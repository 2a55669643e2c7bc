import { Problem } from '#platform/contract/problem.ts'
import { type Db, isUniqueViolation } from '#platform/db/database.ts'
import type { SiteHostnameTable } from '../tables.ts'

type HostnameRow = SiteHostnameTable

/** Those of these names that some site has. */
export const listTaken = (db: Db, names: readonly string[]): Promise<HostnameRow[]> =>
  db
    .selectFrom('site_hostname')
    .selectAll()
    .where('hostname', 'in', [...names])
    .orderBy('hostname')
    .execute()

/** Of all sites, whether they are served or not. */
export const listNames = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('site_hostname').select('hostname').orderBy('hostname').execute()).map(row => row.hostname)

export interface HostnamesByState {
  /** The primary one first. */
  readonly serving: readonly string[]
  readonly arriving?: readonly string[]
  readonly held?: readonly string[]
}

/** These are the names of the site from now on, and no others. */
export const replaceHostnames = async (
  db: Db,
  slug: string,
  { serving, arriving = [], held = [] }: HostnamesByState,
): Promise<void> => {
  const rowsOf = (names: readonly string[], state: HostnameRow['state']) =>
    names.map((hostname, position) => ({ hostname, site_slug: slug, position, state }))
  const rows = [...rowsOf(serving, 'serving'), ...rowsOf(arriving, 'arriving'), ...rowsOf(held, 'held')]
  try {
    await db.transaction().execute(async on => {
      await on.deleteFrom('site_hostname').where('site_slug', '=', slug).execute()
      await on.insertInto('site_hostname').values(rows).execute()
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new Problem('conflict', 'Another site now uses one of these domains. Choose another.')
  }
}
