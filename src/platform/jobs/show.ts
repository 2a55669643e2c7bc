import type { Job, JobLogLine, JobProgress } from '#platform/contract/job.ts'
import { maySeeOutput } from '#platform/contract/known-error.ts'
import type { Level } from '#platform/contract/level.ts'
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
  progress: row.progress === null ? null : (JSON.parse(row.progress) as JobProgress),
  undoing: row.undoing === 1,
  retryAt: row.retry_at,
  cancelRequested: row.cancel_requested_at !== null,
  error: showError(row, level),
  // Lists are kept, logged and piped: no secret is ever part of one.
  result: showResult(row, 'none', registry, codec),
  createdAt: row.created_at,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
})

const showError = ({ error_code: code, error_message, error_output }: JobRow, level: Level): Job['error'] =>
  code === null ? null : { code, message: error_message ?? '', output: maySeeOutput(level) ? error_output : null }

const showResult = (row: JobRow, level: Level, registry: JobRegistry, codec: JobCodec): unknown => {
  if (row.result === null) return null
  const type = registry.find(row.type)
  // Without its type there is no telling which fields are for whom.
  return type ? withhold(type.result, codec.decode(row.id, row.result), level) : null
}

/** Long enough to save a password, too short for anyone who comes by later. */
export const SECRETS_SHOWN_MS = 3_600_000

/** With the fields that are not for everyone, as long as they are shown. */
export const showWholeResult = (
  row: JobRow,
  level: Level,
  registry: JobRegistry,
  codec: JobCodec,
  now: number,
): unknown => showResult(row, now < (row.finished_at ?? 0) + SECRETS_SHOWN_MS ? level : 'none', registry, codec)

export const WITHHELD_OUTPUT = '[output withheld: needs Manage access]'

/** Command output is for Manage and up; the panel's own words are for everyone. */
export const showLines = (lines: readonly JobLogLine[], level: Level): JobLogLine[] =>
  maySeeOutput(level)
    ? [...lines]
    : lines.map(line => (line.stream === 'panel' ? line : { ...line, text: WITHHELD_OUTPUT }))
