import type { Access } from '#platform/contract/level.ts'
import type { Attention } from './contract.ts'

declare module '#platform/db/tables.ts' {
  interface Tables {
    api_key: ApiKeyTable
    activity: ActivityTable
    attention_snooze: AttentionSnoozeTable
  }
}

export interface ApiKeyTable {
  id: string
  name: string
  access: Access
  token_hash: string
  token_start: string
  created_at: number
  created_by: string
  /** Whose key it is: the admin who created it, or whose key did. Null when it was created on the console. */
  created_by_admin: string | null
  last_used_at: number | null
  last_used_from: string | null
  revoked_at: number | null
  /** Null for a key that never expires. */
  expires_at: number | null
}

/** One row per request that was made with a key or by an AI connection, refused ones included. */
export interface ActivityTable {
  id: string
  at: number
  key_id: string
  key_name: string
  endpoint: string | null
  method: string
  path: string
  status: number
  address: string
  duration_ms: number
  request_id: string
  job_id: string | null
  origin: 'api' | 'mcp'
  /** The last three are for AI connections. */
  tool: string | null
  client: string | null
  arguments_hash: string | null
}

/** An item of Home that one admin does not want to see for a while. */
export interface AttentionSnoozeTable {
  admin_id: string
  attention_id: string
  /** How serious it was then. */
  severity: Attention['severity']
  until: number
}
