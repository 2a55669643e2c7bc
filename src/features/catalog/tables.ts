import type { CHECK_STATUSES, PLUGIN_KINDS } from './contract.ts'

declare module '#platform/db/tables.ts' {
  interface Tables {
    catalog_plugin: CatalogPluginTable
    catalog_zip: CatalogZipTable
    catalog_file: CatalogFileTable
    catalog_copy: CatalogCopyTable
  }
}

export interface CatalogPluginTable {
  id: string
  kind: (typeof PLUGIN_KINDS)[number]
  /** Its folder on sites, so no two entries have the same. */
  slug: string
  name: string
  is_default: number
  created_at: number
  updated_at: number
}

/** One uploaded version of a plugin, and what its check found. */
export interface CatalogZipTable {
  id: string
  plugin_id: string
  version: string
  /** Names the file on the panel's disk and on servers. */
  sha256: string
  size_bytes: number
  requires_php: string
  requires_wordpress: string
  status: (typeof CHECK_STATUSES)[number]
  is_checking: number
  files: number
  /** JSON. */
  findings: string
  /** The findings that someone has accepted, as a hash. */
  reviewed_findings: string | null
  problem: string | null
  checked_at: number | null
  uploaded_at: number
}

/** What each file of a checked zip is, so that unchanged copies on sites are vouched for. */
export interface CatalogFileTable {
  zip_id: string
  path: string
  sha256: string
}

/** A zip that a server has. */
export interface CatalogCopyTable {
  server_id: number
  sha256: string
}
