import { decodeWords } from '#drivers/postfix/decode-words.ts'
import type { LogEvent } from '#drivers/postfix/parse-line.ts'
import { newId } from '#platform/db/id.ts'
import { cleanLine } from '#platform/log/clean-line.ts'
import type { MailMessage } from './contract.ts'
import type { MessageRow } from './message-store.ts'

const LONGEST_SUBJECT = 300
const LONGEST_REASON = 600
const LONGEST_ADDRESS = 320
const MOST_EVENTS = 20

export interface Story {
  readonly serverId: number
  /** Who sends from an address of this server. */
  siteAt(address: string): string | null
}

/** What is known of one message: its rows by recipient. */
type Rows = Map<string, MessageRow>

/** Tells what happened next to the rows of a message; adds one for a recipient that is new. */
export const tellStory = (story: Story, rows: Rows, event: LogEvent): void => {
  switch (event.kind) {
    case 'recipient':
      rowFor(story, rows, { ...event, siteSlug: story.siteAt(event.client) })
      break
    case 'subject':
      // Only what programs of the relay itself send has no recipient yet.
      if (rows.size === 0) rowFor(story, rows, { ...event, siteSlug: event.client && story.siteAt(event.client) })
      for (const row of rows.values()) row.subject = cleanLine(decodeWords(event.subject), LONGEST_SUBJECT)
      break
    case 'active':
      for (const row of rows.values()) row.size_bytes = event.sizeBytes
      break
    case 'delivery':
      tellDelivery(rowFor(story, rows, { ...event, from: '', siteSlug: null }), event)
      break
    case 'refusal':
      tellRefusal(story, rows, event)
      break
    case 'expired':
    case 'dropped':
    case 'canceled':
      tellEnd(rows, event)
      break
    case 'notice':
    case 'removed':
  }
}

const tellDelivery = (row: MessageRow, event: LogEvent & { kind: 'delivery' }): void => {
  row.attempts += 1
  row.remote = event.remote && cleanLine(event.remote, LONGEST_ADDRESS)
  note(row, event.at, event.outcome, event.text)
}

const tellRefusal = (story: Story, rows: Rows, event: LogEvent & { kind: 'refusal' }): void => {
  const refused = rowFor(story, rows, { ...event, siteSlug: story.siteAt(event.client) })
  for (const row of event.whole ? rows.values() : [refused]) note(row, event.at, 'refused', event.text)
}

const ENDS: Partial<Record<LogEvent['kind'], { status: MailMessage['status']; text: string }>> = {
  expired: { status: 'bounced', text: 'Not delivered for three days. Given up.' },
  dropped: { status: 'dropped', text: 'Dropped from the queue.' },
  canceled: { status: 'dropped', text: 'The site disconnected before the message was complete.' },
}

/** For those recipients whose fate is open. */
const tellEnd = (rows: Rows, { kind, at }: LogEvent): void => {
  const end = ENDS[kind]
  if (!end) return
  for (const row of rows.values())
    if (row.status === 'queued' || row.status === 'deferred') note(row, at, end.status, end.text)
}

interface Start {
  readonly at: number
  readonly queueId: string
  readonly from: string
  readonly to: string
  readonly siteSlug: string | null
}

const rowFor = ({ serverId }: Story, rows: Rows, { at, queueId, from, to, siteSlug }: Start): MessageRow => {
  const recipient = cleanLine(to, LONGEST_ADDRESS)
  const known = rows.get(recipient)
  if (known) return known
  // What was already told of its other recipients counts for it, too.
  const [other] = rows.values()
  const row: MessageRow = {
    id: newId(at),
    server_id: serverId,
    queue_id: queueId,
    site_slug: siteSlug ?? other?.site_slug ?? null,
    sender: cleanLine(from, LONGEST_ADDRESS) || (other?.sender ?? ''),
    recipient,
    subject: other?.subject ?? '',
    size_bytes: other?.size_bytes ?? null,
    status: 'queued',
    reason: '',
    remote: null,
    attempts: 0,
    words: null,
    events: JSON.stringify([{ at, status: 'queued', text: 'Accepted by the relay.' }]),
    created_at: at,
    updated_at: at,
  }
  rows.set(recipient, row)
  return row
}

const note = (row: MessageRow, at: number, status: MailMessage['status'], said: string): void => {
  const text = cleanLine(said, LONGEST_REASON)
  // Nothing was accepted of a message that was refused at once.
  const before = (JSON.parse(row.events) as MailMessage['events']).filter(
    () => status !== 'refused' || row.attempts > 0,
  )
  Object.assign(row, {
    status,
    reason: text,
    updated_at: at,
    events: JSON.stringify([...before, { at, status, text }].slice(-MOST_EVENTS)),
  })
}
