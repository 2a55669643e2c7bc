import type { DOMAIN_MODES, PHP_VERSIONS, SITE_STATUSES } from './contract.ts'
import type { EdgeLogTable, SiteTrafficPathTable, SiteTrafficTable } from './traffic/tables.ts'

declare module '#platform/db/tables.ts' {
  interface Tables {
    site: SiteTable
    site_hostname: SiteHostnameTable
    site_copy: SiteCopyTable
    site_disk: SiteDiskTable
    site_go_live: SiteGoLiveTable
    site_traffic: SiteTrafficTable
    site_traffic_path: SiteTrafficPathTable
    edge_log: EdgeLogTable
  }
}

export interface SiteTable {
  slug: string
  title: string
  status: (typeof SITE_STATUSES)[number]
  server_id: number
  php_version: (typeof PHP_VERSIONS)[number]
  domain_mode: (typeof DOMAIN_MODES)[number]
  /** Which of the small networks of its server it has. */
  network_index: number
  /** Whom its processes and files belong to, as user and as group. No other site of the fleet has it. */
  uid: number
  sealed_database_password: string
  locale: string
  wordpress_version: string | null
  admin_user: string
  admin_email: string
  /** A JSON list. */
  labels: string
  notes: string
  /** What of it was last seen to be gone from its server, or not restored to its end. */
  missing: 'files' | 'database' | 'all' | null
  created_at: number
}

/** A name belongs to one site of the whole fleet. */
export interface SiteHostnameTable {
  hostname: string
  site_slug: string
  /** 0 is the primary one. */
  position: number
  /** `arriving` points to the primary one for a moment; `held` belongs to the site but no one answers to it. */
  state: 'serving' | 'arriving' | 'held'
}

/** A site that goes live by itself once DNS points these names to its server and there is a certificate. */
export interface SiteGoLiveTable {
  site_slug: string
  /** A JSON list, the primary one first. The site holds those that it does not serve yet. */
  hostnames: string
  /** What it waits for, in words; null before the first look. */
  problem: string | null
  attempts: number
  next_attempt_at: number | null
  created_at: number
}

/** What a site has on a second server while it moves, and after that on its old one. */
export interface SiteCopyTable {
  site_slug: string
  server_id: number
  network_index: number
  /**
   * `copying`: no one is pointed to it. `arrived`: its server would serve it, standing still. `held`: visitors wait at it.
   * `parked`: the old one; its server forwards visitors. `leaving`: the old one, no longer forwarded from.
   */
  stage: 'copying' | 'arrived' | 'held' | 'parked' | 'leaving'
  created_at: number
}

/** What a site may use of the disk, and what it was last seen to use. */
export interface SiteDiskTable {
  site_slug: string
  /** Null for the default of all sites; 0 for no limit. */
  limit_mib: number | null
  limit_files: number | null
  used_bytes: number | null
  used_files: number | null
  measured_at: number | null
  /** When its server stopped it because it had used too much. */
  stopped_at: number | null
}
