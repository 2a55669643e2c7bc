import type { SiteRow } from '#features/sites/index.ts'
import type { Scope } from '#platform/scope.ts'
import type { QuarantineItem, Scan, SiteScan } from './contract.ts'
import { countOpen } from './findings/finding-store.ts'
import { effectivePolicy, listPolicies } from './policy/policy-store.ts'
import { countKept, type QuarantineRow } from './quarantine/quarantine-store.ts'
import { listInFlight, listLastScans } from './scan/scan-store.ts'
import type { ScanTable } from './tables.ts'

export const showScan = (row: ScanTable): Scan => ({
  id: row.id,
  jobId: row.job_id,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
  files: row.files,
  knownGood: row.known_good,
  unchanged: row.unchanged,
  filesRead: row.files_read,
  bytesRead: row.bytes_read,
  found: row.found,
  fresh: row.fresh,
  quarantined: row.quarantined,
  rulesVersion: row.rules_version,
  isComplete: row.is_complete === 1,
  leftOut: JSON.parse(row.left_out) as Scan['leftOut'],
  notes: JSON.parse(row.notes) as string[],
})

export const showItem = (row: QuarantineRow): QuarantineItem => ({
  id: row.id,
  siteSlug: row.site_slug,
  path: row.path,
  status: row.status,
  label: row.label,
  severity: row.severity,
  sizeBytes: row.size_bytes,
  mode: row.mode.toString(8).padStart(4, '0'),
  owner: `${row.uid}:${row.gid}`,
  modifiedAt: row.modified_at,
  sha256: row.sha256,
  by: row.moved_by,
  createdAt: row.created_at,
  endedAt: row.ended_at,
})

/** How each site stands: its settings, its last scan and what is open. */
export const showSiteScans = async (scope: Scope, sites: readonly SiteRow[]): Promise<SiteScan[]> => {
  const { db } = scope
  const [policies, last, open] = [await listPolicies(db), await listLastScans(db), await countOpen(db)]
  const [kept, inFlight] = [await countKept(db), await listInFlight(db)]
  const shown: SiteScan[] = []
  for (const { slug, title, server_id: serverId } of sites) {
    const policy = policies.get(slug) ?? { enabled: null, on_finding: null }
    const job = inFlight.find(({ site_slug }) => site_slug === slug)
    const scan = last.get(slug)
    shown.push({
      siteSlug: slug,
      title,
      serverId,
      enabled: policy.enabled === null ? null : policy.enabled === 1,
      onFinding: policy.on_finding,
      effective: await effectivePolicy(scope, policy),
      scanning: job ? { jobId: job.id, status: job.status } : null,
      lastScan: scan ? showScan(scan) : null,
      open: open.get(slug) ?? { confirmed: 0, suspicious: 0, notice: 0 },
      quarantined: kept.get(slug) ?? 0,
    })
  }
  return shown
}

export const showSiteScan = async (scope: Scope, site: SiteRow): Promise<SiteScan> => {
  const [shown] = await showSiteScans(scope, [site])
  if (!shown) throw new Error('one site has one scan')
  return shown
}
