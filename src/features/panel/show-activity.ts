import type { z } from 'zod'
import type { ActivityRow } from './activity-store.ts'
import type { Activity } from './contract.ts'

export const showActivity = (row: ActivityRow): z.input<typeof Activity> => ({
  id: row.id,
  at: row.at,
  keyId: row.key_id,
  keyName: row.key_name,
  endpoint: row.endpoint,
  method: row.method,
  path: row.path,
  status: row.status,
  address: row.address,
  durationMs: row.duration_ms,
  requestId: row.request_id,
  jobId: row.job_id,
  origin: row.origin,
  tool: row.tool,
  client: row.client,
  argumentsHash: row.arguments_hash,
})
