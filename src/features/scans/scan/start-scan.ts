import { getSite, listSites, type SiteRow } from '#features/sites/index.ts'
import type { Job } from '#platform/contract/job.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { EnqueueOptions } from '#platform/jobs/jobs.ts'
import type { Scope } from '#platform/scope.ts'
import { listInFlight } from './scan-store.ts'
import { siteMalwareScan } from './site.malware-scan.ts'

const SCANNED: readonly SiteRow['status'][] = ['running', 'stopped']

interface Started extends EnqueueOptions {
  readonly putBack?: string
}

const enqueue = ({ jobs }: Pick<Scope, 'jobs'>, site: SiteRow, { putBack, ...options }: Started = {}): Promise<Job> =>
  jobs.enqueue(siteMalwareScan, { slug: site.slug, serverId: site.server_id, putBack: putBack ?? null }, options)

/** A site has one scan at a time: another one that is asked for is refused. */
export const startScan = async (scope: Pick<Scope, 'db' | 'jobs'>, slug: string, started?: Started): Promise<Job> => {
  const site = await getSite(scope.db, slug)
  const other = (await listInFlight(scope.db)).find(job => job.site_slug === slug)
  if (other)
    throw new Problem('job_conflict', `${slug} is being scanned already. Wait until that scan ends, or cancel it.`, {
      jobId: other.id,
      type: siteMalwareScan.type,
    })
  if (!SCANNED.includes(site.status))
    throw new Problem(
      'conflict',
      `${slug} is ${site.status}. Only sites that are ${SCANNED.join(' or ')} can be scanned.`,
      {
        status: site.status,
      },
    )
  return enqueue(scope, site, started)
}

/** All sites if none are named. Those that are being created or deleted are left out. */
export const startScans = async (scope: Pick<Scope, 'db' | 'jobs'>, slugs: readonly string[] | undefined) => {
  const sites = slugs
    ? await Promise.all([...new Set(slugs)].map(slug => getSite(scope.db, slug)))
    : (await listSites(scope.db)).filter(({ status }) => SCANNED.includes(status))
  const refused = sites.find(({ status }) => !SCANNED.includes(status))
  if (refused)
    throw new Problem('conflict', `${refused.slug} is ${refused.status}. Nothing was started.`, {
      status: refused.status,
    })
  const busy = new Set((await listInFlight(scope.db)).map(({ site_slug }) => site_slug))
  const [already, free] = [sites.filter(({ slug }) => busy.has(slug)), sites.filter(({ slug }) => !busy.has(slug))]
  for (const site of free) await enqueue(scope, site)
  return { queued: free.map(({ slug }) => slug), already: already.map(({ slug }) => slug) }
}
