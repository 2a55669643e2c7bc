declare module '#platform/db/tables.ts' {
  interface Tables {
    acme_account: AcmeAccountTable
    certificate: CertificateTable
  }
}

/** The account a server has at its certificate authority. */
export interface AcmeAccountTable {
  server_id: number
  directory_url: string
  email: string | null
  /** Null until the authority has answered. */
  account_url: string | null
  sealed_key: string
  /** When certificates were last asked for, a JSON list: an account may ask ten times a minute. */
  recent_attempts: string
  created_at: number
}

/** One certificate per server and set of names; renewing changes the row. */
export interface CertificateTable {
  id: string
  server_id: number
  /** A JSON list, sorted. */
  names: string
  /** `failed` while there is no certificate and the last attempt ended badly. */
  status: 'pending' | 'valid' | 'failed'
  sealed_key: string | null
  chain_pem: string | null
  not_before: number | null
  not_after: number | null
  renew_at: number | null
  /** What the authority last suggested, as `start-end`; null when it suggests nothing. */
  renewal_window: string | null
  renewal_check_at: number | null
  serial: string | null
  issuer: string | null
  /** The one that the server's edge has loaded. */
  pushed_serial: string | null
  /** An order that is under way and the sealed key it is for, so that a new attempt continues instead of ordering twice. */
  order_url: string | null
  order_sealed_key: string | null
  problem: string | null
  attempts: number
  next_attempt_at: number | null
  created_at: number
  updated_at: number
}
