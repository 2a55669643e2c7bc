declare module '#platform/db/tables.ts' {
  interface Tables {
    admin: AdminTable
    session: SessionTable
    one_time_token: OneTimeTokenTable
    failed_attempt: FailedAttemptTable
    known_address: KnownAddressTable
  }
}

export interface AdminTable {
  id: string
  email: string
  name: string
  /** 1 for the owner, null for everyone else: unique, so there is never a second owner. */
  owner: 1 | null
  /** Null until the invitation is accepted. */
  password_hash: string | null
  disabled: number
  preferences: string
  totp_sealed: string | null
  totp_pending_sealed: string | null
  /** The newest time step a code was accepted for; a code works once. */
  totp_last_step: number
  /** Hashes of the codes that are left, as JSON. */
  recovery_codes: string
  created_at: number
  last_login_at: number | null
}

export interface SessionTable {
  id: string
  token_hash: string
  admin_id: string
  created_at: number
  last_seen_at: number
  expires_at: number
  address: string
  user_agent: string
}

export type TokenPurpose = 'setup' | 'invitation' | 'reset' | 'email' | 'login'

/** Links and challenges: bound to an account and a purpose, used once. */
export interface OneTimeTokenTable {
  token_hash: string
  purpose: TokenPurpose
  admin_id: string | null
  /** For `email`: the address that is being confirmed. */
  email: string | null
  created_at: number
  expires_at: number
}

export interface FailedAttemptTable {
  bucket: string
  count: number
  expires_at: number
  /** When the next attempt is let through; 0 where only the count matters. */
  next_at: number
}

/** Where a person signed in from, so that the brake on their account never slows them there. */
export interface KnownAddressTable {
  admin_id: string
  address: string
  last_used_at: number
}
