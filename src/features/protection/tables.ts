import type { Level } from './levels/contract.ts'

declare module '#platform/db/tables.ts' {
  interface Tables {
    site_protection: SiteProtectionTable
    protection_sync: ProtectionSyncTable
    refused_request: RefusedRequestTable
    refused_count: RefusedCountTable
  }
}

/** How a site is protected. A site without a row follows the fleet. */
export interface SiteProtectionTable {
  site_slug: string
  level: Level | null
  /** JSON, as in the contract. */
  overrides: string
  /** JSON, in order. */
  custom_rules: string
  changed_at: number
}

/** When a server was last brought to what the rows say, and why that failed since. */
export interface ProtectionSyncTable {
  server_id: number
  synced_at: number | null
  problem: string | null
}

/** A request that the edge refused; only some of those of one minute. */
export interface RefusedRequestTable {
  id: string
  site_slug: string
  at: number
  rule: string
  status: number
  address: string
  method: string
  path: string
  user_agent: string
}

/** All requests that a rule refused within an hour. */
export interface RefusedCountTable {
  site_slug: string
  rule: string
  /** The start of the hour. */
  at: number
  requests: number
}
