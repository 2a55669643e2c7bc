import type { DOMAIN_MODES, PHP_VERSIONS, SITE_STATUSES } from './contract.ts'

declare module '#platform/db/tables.ts' {
  interface Tables {
    site: SiteTable
    site_hostname: SiteHostnameTable
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
}
