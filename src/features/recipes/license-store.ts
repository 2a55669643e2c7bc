import type { Db } from '#platform/db/database.ts'
import type { SiteLicenseTable } from './tables.ts'

export type LicenseRow = SiteLicenseTable

interface Filter {
  readonly recipeId?: string
  readonly siteSlug?: string
}

export const listLicenses = (db: Db, { recipeId, siteSlug }: Filter = {}): Promise<LicenseRow[]> =>
  db
    .selectFrom('site_license')
    .selectAll()
    .$if(recipeId !== undefined, query => query.where('recipe_id', '=', recipeId ?? ''))
    .$if(siteSlug !== undefined, query => query.where('site_slug', '=', siteSlug ?? ''))
    .orderBy('site_slug')
    .execute()

/** What is not said stays as it was. */
export const keepLicense = async (
  db: Db,
  row: Omit<LicenseRow, 'applied_at'> & { readonly applied_at?: number },
): Promise<void> => {
  const { status, message, checked_at, job_id, applied_at } = row
  const facts = { status, message, checked_at, job_id, ...(applied_at !== undefined && { applied_at }) }
  await db
    .insertInto('site_license')
    .values({ applied_at: null, ...row })
    .onConflict(conflict => conflict.columns(['site_slug', 'recipe_id']).doUpdateSet(facts))
    .execute()
}

export const deleteLicensesOf = async (db: Db, siteSlug: string): Promise<void> => {
  await db.deleteFrom('site_license').where('site_slug', '=', siteSlug).execute()
}
