import type { Job, JobLogLine } from '#platform/contract/job.ts'
import { type Level, reaches } from '#platform/contract/level.ts'
import { withhold } from '#platform/contract/withhold.ts'
import type { JobCodec } from './codec.ts'
import type { JobRow } from './job-store.ts'
import type { JobRegistry } from './registry.ts'

/** A job as a caller of this level may see it. */
export const showJob = (row: JobRow, level: Level, registry: JobRegistry, codec: JobCodec): Job => ({
  id: row.id,
  type: row.type,
  label: row.label,
  category: row.category,
  status: row.status,
  origin: row.origin,
  siteSlug: row.site_slug,
  serverId: row.server_id,
  scheduleId: row.schedule_id,
  batchId: row.batch_id,
  lanes: JSON.parse(row.lanes) as string[],
  startedBy: row.started_by,
  step: row.step,
  stepsDone: row.steps_done,
  stepsTotal: row.steps_total,
  undoing: row.undoing === 1,
  cancelRequested: row.cancel_requested_at !== null,
  error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
  result: showResult(row, level, registry, codec),
  createdAt: row.created_at,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
})

const showResult = (row: JobRow, level: Level, registry: JobRegistry, codec: JobCodec): unknown => {
  if (row.result === null) return null
  const type = registry.find(row.type)
  // Without its type there is no telling which fields are for whom.
  return type ? withhold(type.result, codec.decode(row.id, row.result), level) : null
}

export const WITHHELD_OUTPUT = '[output withheld: needs Manage access]'

/** Command output is for Manage and up; the panel's own words are for everyone. */
export const showLines = (lines: readonly JobLogLine[], level: Level): JobLogLine[] =>
  reaches(level, 'manage')
    ? [...lines]
    : lines.map(line => (line.stream === 'panel' ? line : { ...line, text: WITHHELD_OUTPUT }))
