import type { DNS_TOKEN_PROVIDERS } from './contract.ts'

declare module '#platform/db/tables.ts' {
  interface Tables {
    dns_token: DnsTokenTable
    dns_wildcard: DnsWildcardTable
  }
}

/** One row, or none. */
export interface DnsTokenTable {
  id: number
  provider: (typeof DNS_TOKEN_PROVIDERS)[number]
  sealed_token: string
  set_at: number
}

/** Servers whose dev sites share a wildcard certificate. */
export interface DnsWildcardTable {
  server_id: number
  set_at: number
}
