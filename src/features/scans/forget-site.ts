import type { Db } from '#platform/db/database.ts'
import { deleteFindings } from './findings/finding-store.ts'
import { deletePolicy } from './policy/policy-store.ts'
import { deleteItems } from './quarantine/quarantine-store.ts'
import { deleteScans } from './scan/scan-store.ts'

/** The files in quarantine go with the folder of the site. */
export const forgetSite = async (db: Db, slug: string): Promise<void> => {
  await deleteFindings(db, slug)
  await deleteItems(db, slug)
  await deleteScans(db, slug)
  await deletePolicy(db, slug)
}
