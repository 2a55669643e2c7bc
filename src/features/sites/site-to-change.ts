import { Problem } from '#platform/contract/problem.ts'
import { refuseBusySite } from '#platform/jobs/jobs.ts'
import type { Scope } from '#platform/scope.ts'
import { getSite, type SiteRow } from './site-store.ts'

/**
 * The site, for anyone who is about to change it. One that has a job answers `job_conflict` first, since its status is on
 * the way to another one; then it must be in one of these states.
 */
export const siteToChange = async (
  { db }: Pick<Scope, 'db'>,
  slug: string,
  states: readonly SiteRow['status'][] = ['running', 'stopped'],
): Promise<SiteRow> => {
  const site = await getSite(db, slug)
  await refuseBusySite(db, slug)
  if (!states.includes(site.status))
    throw new Problem(
      'conflict',
      `${slug} is ${site.status}. This only works for sites that are ${states.join(' or ')}.`,
      {
        status: site.status,
      },
    )
  return site
}
