import type { Db } from '#platform/db/database.ts'
import { type MailMessage, MESSAGE_STATUSES } from './contract.ts'
import { countByHour, countBySite, type MessageRow } from './message-store.ts'

const HOUR_MS = 3_600_000

export const showMessage = (row: MessageRow): MailMessage => ({
  id: row.id,
  serverId: row.server_id,
  queueId: row.queue_id,
  siteSlug: row.site_slug,
  from: row.sender,
  to: row.recipient,
  subject: row.subject,
  sizeBytes: row.size_bytes,
  status: row.status,
  reason: row.reason,
  remote: row.remote,
  attempts: row.attempts,
  events: JSON.parse(row.events) as MailMessage['events'],
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const noCounts = (): Record<string, number> => Object.fromEntries(MESSAGE_STATUSES.map(status => [status, 0]))
const FAILED: readonly string[] = ['bounced', 'refused']

/** Every hour is there, also one in which nothing was sent. */
export const readStats = async (db: Db, now: number, hours: number) => {
  const first = now - (now % HOUR_MS) - (hours - 1) * HOUR_MS
  const [byHour, bySite] = await Promise.all([countByHour(db, first), countBySite(db, first)])
  const totals = noCounts()
  const buckets = new Map(Array.from({ length: hours }, (_, at) => [first + at * HOUR_MS, noCounts()]))
  for (const { at, status, count } of byHour) {
    totals[status] = (totals[status] ?? 0) + count
    const counts = buckets.get(at)
    if (counts) counts[status] = count
  }
  const sum = (rows: readonly { count: number }[]) => rows.reduce((all, { count }) => all + count, 0)
  const sites = [...Map.groupBy(bySite, row => row.site_slug)].map(([siteSlug, rows]) => ({
    siteSlug,
    messages: sum(rows),
    failed: sum(rows.filter(({ status }) => FAILED.includes(status))),
  }))
  return {
    totals,
    hours: [...buckets].map(([at, counts]) => ({ at, counts })),
    sites: sites.toSorted((a, b) => b.messages - a.messages),
  }
}
