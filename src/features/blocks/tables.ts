import type { BLOCK_SOURCES, FIREWALL_STATES, OUTCOMES, Reason } from './contract.ts'

declare module '#platform/db/tables.ts' {
  interface Tables {
    address_block: AddressBlockTable
    never_block: NeverBlockTable
    block_load: BlockLoadTable
    block_decision: BlockDecisionTable
  }
}

export interface AddressBlockTable {
  id: string
  address: string
  /** The first and the last address of the range, as texts that sort like the addresses. */
  first_key: string
  last_key: string
  /** Null for all sites. */
  site_slug: string | null
  note: string
  source: (typeof BLOCK_SOURCES)[number]
  reason: Reason | null
  created_at: number
  created_by: string
  expires_at: number | null
  lifted_at: number | null
  lifted_by: string | null
}

export interface NeverBlockTable {
  id: string
  address: string
  first_key: string
  last_key: string
  note: string
  created_at: number
  created_by: string
}

/** What was last loaded on a server. */
export interface BlockLoadTable {
  server_id: number
  state: Exclude<(typeof FIREWALL_STATES)[number], 'not_installed'>
  /** Of the list that was loaded. */
  version: string
  network_entries: number
  edge_entries: number
  loaded_at: number
  drift_found_at: number | null
  problem: string | null
}

export interface BlockDecisionTable {
  id: string
  at: number
  address: string
  reason: Reason
  outcome: (typeof OUTCOMES)[number]
  why: string
  count: number
  window_minutes: number
  /** A JSON list of slugs. */
  sites: string
  server_id: number
  block_id: string | null
  /** A JSON list of the last requests. */
  requests: string
}
