import type { DNS_PROVIDERS, SERVER_STATUSES } from './contract.ts'

declare module '#platform/db/tables.ts' {
  interface Tables {
    server: ServerTable
    ssh_key: SshKeyTable
  }
}

export interface ServerTable {
  id: number
  name: string
  /** Null for the panel's own machine. */
  ssh_host: string | null
  ssh_port: number
  ssh_user: string
  /** As in a known_hosts file, type and key; null before the first contact. */
  host_key: string | null
  public_ip: string | null
  dev_domain: string
  dns_provider: (typeof DNS_PROVIDERS)[number]
  acme_email: string | null
  backup_root: string
  status: (typeof SERVER_STATUSES)[number]
  problem: string | null
  /** Of the panel's own account in the database of the server; null before the first use. */
  sealed_database_password: string | null
  /** What it was last set up as, to tell whether this panel would do it in another way. */
  stack_version: string | null
  last_seen_at: number | null
  provisioned_at: number | null
  created_at: number
  /** The row stays, so that a number is never given to another server. */
  deleted_at: number | null
}

/** The key the panel signs in to servers with. */
export interface SshKeyTable {
  id: number
  public_key: string
  sealed_private_key: string
  created_at: number
}
