import type { Severity } from '#drivers/wordfence/feed.ts'
import type { ITEM_KINDS, ITEM_STATUSES } from './inventory/contract.ts'
import type { FATES, TASK_ACTIONS, TASK_KINDS } from './tasks/contract.ts'

declare module '#platform/db/tables.ts' {
  interface Tables {
    wordpress: WordpressTable
    wordpress_item: WordpressItemTable
    wordpress_task_item: WordpressTaskItemTable
    vulnerability: VulnerabilityTable
    vulnerability_feed: VulnerabilityFeedTable
  }
}

/** What a site said of itself when it was last read. */
export interface WordpressTable {
  site_slug: string
  core_version: string
  /** The newest version on offer. */
  core_update: string | null
  /** The newest one of the same branch. */
  core_minor_update: string | null
  database_outdated: number
  php: string
  multisite: number
  users: number
  /** Why plugins and themes could not be loaded; what is known was read without them. */
  problem: string | null
  /** When WordPress itself last looked for updates. */
  updates_checked_at: number | null
  scanned_at: number
}

export interface WordpressItemTable {
  site_slug: string
  kind: (typeof ITEM_KINDS)[number]
  /** Below the folder of plugins or themes; unlike the name it is unique. */
  file: string
  name: string
  title: string
  version: string
  status: (typeof ITEM_STATUSES)[number]
  auto_update: number
  update_version: string | null
  update_requires_php: string | null
  update_requires_wordpress: string | null
}

/** What a job changes on a site, and what became of it. */
export interface WordpressTaskItemTable {
  job_id: string
  position: number
  kind: (typeof TASK_KINDS)[number]
  /** `core` for WordPress itself. */
  slug: string
  action: (typeof TASK_ACTIONS)[number]
  fate: (typeof FATES)[number]
  from_version: string | null
  to_version: string | null
  reason: string | null
}

/** One for each plugin, theme or core that a vulnerability is about. */
export interface VulnerabilityTable {
  id: string
  kind: (typeof TASK_KINDS)[number]
  slug: string
  title: string
  severity: Severity
  score: number | null
  cve: string | null
  url: string | null
  fixed_in: string | null
  /** JSON: the versions it is in. */
  ranges: string
}

/** The feed that the vulnerabilities are from; there is one row at most. */
export interface VulnerabilityFeedTable {
  url: string
  etag: string | null
  last_modified: string | null
  records: number
  fetched_at: number
  /** When the service was last asked whether there is a newer one. */
  checked_at: number
}
