import { getSite, type SiteRow } from '#features/sites/index.ts'
import type { Scope } from '#platform/scope.ts'
import { requireRunning } from './run-script.ts'

export const runningSite = async (slug: string, { db }: Pick<Scope, 'db'>): Promise<SiteRow> => {
  const site = await getSite(db, slug)
  requireRunning(site)
  return site
}
