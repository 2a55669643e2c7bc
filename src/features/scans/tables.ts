import type {
  FINDING_KINDS,
  FINDING_STATUSES,
  ITEM_KINDS,
  ON_FINDING,
  QUARANTINE_STATUSES,
  SEVERITIES,
} from './contract.ts'

declare module '#platform/db/tables.ts' {
  interface Tables {
    scan_policy: ScanPolicyTable
    scan: ScanTable
    finding: FindingTable
    quarantine_item: QuarantineItemTable
  }
}

/** What people have decided for one site; null follows the settings. */
export interface ScanPolicyTable {
  site_slug: string
  enabled: number | null
  on_finding: (typeof ON_FINDING)[number] | null
}

/** A scan that has ended. The last ones of each site are kept. */
export interface ScanTable {
  id: string
  site_slug: string
  job_id: string
  started_at: number
  finished_at: number
  files: number
  known_good: number
  unchanged: number
  files_read: number
  bytes_read: number
  found: number
  fresh: number
  quarantined: number
  rules_version: string
  is_complete: number
  /** JSON: reasons with how many files and one of them. */
  left_out: string
  /** A JSON list of sentences. */
  notes: string
}

/** One rule that matched in one file of a site. Paths and excerpts are what the site wrote. */
export interface FindingTable {
  id: string
  site_slug: string
  path: string
  kind: (typeof FINDING_KINDS)[number]
  rule: string
  label: string
  severity: (typeof SEVERITIES)[number]
  line: number | null
  excerpt: string
  item_kind: (typeof ITEM_KINDS)[number] | null
  item_slug: string | null
  item_version: string | null
  size_bytes: number
  modified_at: number
  sha256: string | null
  status: (typeof FINDING_STATUSES)[number]
  first_seen_at: number
  last_seen_at: number
  changed_at: number
  quarantine_id: string | null
}

/** A file that was moved out of a site. */
export interface QuarantineItemTable {
  id: string
  site_slug: string
  path: string
  status: (typeof QUARANTINE_STATUSES)[number]
  label: string
  severity: (typeof SEVERITIES)[number]
  size_bytes: number
  mode: number
  uid: number
  gid: number
  modified_at: number
  sha256: string | null
  moved_by: string
  created_at: number
  ended_at: number | null
}
