import { newId } from '#platform/db/id.ts'
import type { Background } from '#platform/feature.ts'
import type { Answered } from '#platform/http/recording.ts'
import type { Scope } from '#platform/scope.ts'
import { ACTIVITY_MAX, type ActivityRow, insertActivity, trimActivity, WITH_KEY } from './activity-store.ts'
import { touchKey } from './key-store.ts'

const READS_EVERY_MS = 250
/** What goes over a socket may change anything. */
const SOCKET_OPENED = 101
const TRIM_EVERY_ROWS = 10_000

/**
 * Writes down every request made with a key or by an AI connection. A change is on disk before its answer leaves; reads follow within a quarter
 * of a second, many at once.
 */
export const activityLog = (scope: Scope): Required<Background> => {
  let waiting: ActivityRow[] = []
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  let untrimmed = 0

  const write = async (rows: ActivityRow[]) => {
    await insertActivity(scope.db, rows)
    const lastUse = new Map(rows.map(row => [row.key_id, row]))
    for (const [id, row] of lastUse) await touchKey(scope.db, id, row.at, row.address)
    untrimmed += rows.length
    if (untrimmed >= TRIM_EVERY_ROWS) {
      untrimmed = 0
      await trimActivity(scope.db, ACTIVITY_MAX)
    }
  }

  const failed = (error: unknown) => scope.log.error({ err: error }, 'could not write the activity log')

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const rows = waiting
    waiting = []
    if (rows.length > 0) writing = writing.catch(() => {}).then(() => write(rows))
    return writing
  }

  return {
    record: answered => {
      const row = rowOf(answered, scope.now())
      if (!row) return undefined
      waiting.push(row)
      if (answered.method !== 'GET' || answered.status === SOCKET_OPENED) return flush()
      timer ??= setTimeout(() => void flush().catch(failed), READS_EVERY_MS)
      return undefined
    },
    stop: flush,
  }
}

const keyOf = ({ identity: { actor, refusedKey } }: Answered) =>
  actor.kind === 'key' || actor.kind === 'connection' ? actor : refusedKey

/** What an AI app says to /mcp is on record by the calls it makes; what is refused is not. */
const isAnsweredMessage = ({ identity: { actor }, status }: Answered) =>
  actor.kind === 'connection' && !actor.call && status < 400

const toolCallOf = ({ identity: { actor } }: Answered) => (actor.kind === 'connection' ? actor.call : undefined)

const rowOf = (answered: Answered, now: number): ActivityRow | undefined => {
  const key = keyOf(answered)
  const call = toolCallOf(answered)
  if (!key || isAnsweredMessage(answered)) return undefined
  return {
    id: newId(now),
    at: now,
    key_id: key.id,
    key_name: key.name,
    endpoint: answered.endpointId,
    method: answered.method,
    path: answered.path,
    status: answered.status,
    address: answered.caller.address,
    duration_ms: answered.durationMs,
    request_id: answered.caller.requestId,
    job_id: answered.jobId,
    ...WITH_KEY,
    ...(key.kind === 'connection' && { origin: 'mcp' }),
    ...(call && { tool: call.tool, client: call.client, arguments_hash: call.argumentsHash }),
  }
}
