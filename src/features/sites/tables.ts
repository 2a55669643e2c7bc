import type { DOMAIN_MODES, PHP_VERSIONS, SITE_STATUSES } from './contract.ts'
import type { EdgeLogTable, SiteTrafficPathTable, SiteTrafficTable } from './traffic/tables.ts'

declare module '#platform/db/tables.ts' {
  interface Tables {
    site: SiteTable
    site_hostname: SiteHostnameTable
    site_copy: SiteCopyTable
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
  sealed_database_password: string
  locale: string
  wordpress_version: string | null
  admin_user: string
  admin_email: string
  /** A JSON list. */
  labels: string
  notes: string
  created_at: number
}

/** A name belongs to one site of the whole fleet. */
export interface SiteHostnameTable {
  hostname: string
  site_slug: string
  /** 0 is the primary one. */
  position: number
  /** `arriving` leads to the primary one for a moment; `held` belongs to the site but nobody answers to it. */
  state: 'serving' | 'arriving' | 'held'
}

/** What a site has on a second server while it moves, and after that on its old one. */
export interface SiteCopyTable {
  site_slug: string
  server_id: number
  network_index: number
  /**
   * `copying`: nobody is led to it. `arrived`: its server would serve it, standing still. `held`: visitors wait at it.
   * `parked`: the old one; its server forwards visitors. `leaving`: the old one, no longer forwarded from.
   */
  stage: 'copying' | 'arrived' | 'held' | 'parked' | 'leaving'
  created_at: number
}
