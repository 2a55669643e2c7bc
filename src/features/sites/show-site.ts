import { findActiveJobOfSite } from '#platform/jobs/job-store.ts'
import type { Scope } from '#platform/scope.ts'
import type { Site } from './contract.ts'
import { listParked } from './move/copy-store.ts'
import { addressOf } from './serve-site.ts'
import { listHostnames, type SiteRow } from './site-store.ts'

export const showSites = async (scope: Scope, rows: readonly SiteRow[]): Promise<Site[]> => {
  const names = await listHostnames(
    scope.db,
    rows.map(row => row.slug),
  )
  const parked = await listParked(scope.db)
  return Promise.all(
    rows.map(async row => ({
      ...(await showSite(scope, row, names.get(row.slug) ?? [])),
      parkedOn: parked.get(row.slug) ?? null,
    })),
  )
}

const showSite = async (scope: Scope, row: SiteRow, hostnames: string[]): Promise<Omit<Site, 'parkedOn'>> => ({
  slug: row.slug,
  title: row.title,
  status: row.status,
  url: addressOf(hostnames[0] ?? ''),
  hostnames,
  domainMode: row.domain_mode,
  serverId: row.server_id,
  phpVersion: row.php_version,
  wordpressVersion: row.wordpress_version,
  locale: row.locale,
  adminUser: row.admin_user,
  adminEmail: row.admin_email,
  labels: JSON.parse(row.labels) as string[],
  notes: row.notes,
  jobId: (await findActiveJobOfSite(scope.db, row.slug))?.id ?? null,
  createdAt: row.created_at,
})
