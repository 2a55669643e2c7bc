import type { Access } from '#platform/contract/level.ts'

declare module '#platform/db/tables.ts' {
  interface Tables {
    api_key: ApiKeyTable
    activity: ActivityTable
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
  last_used_at: number | null
  last_used_from: string | null
  revoked_at: number | null
}

/** One row per request that was made with a key, refused ones included. */
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
}
