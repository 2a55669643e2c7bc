import { fillIndex, type MessageRow } from '#features/mail/messages/message-store.ts'
import { newId } from '#platform/db/id.ts'
import type { TestPanel } from '../support/panel.ts'

const MINUTE_MS = 60_000
const FATES = [
  { status: 'sent', reason: '250 2.0.0 Ok: queued as 4F2A' },
  { status: 'sent', reason: '250 2.0.0 Ok: queued as 91BC' },
  { status: 'sent', reason: '250 OK' },
  { status: 'deferred', reason: 'host mx.example.net[192.0.2.7] said: 451 4.7.1 Greylisted, come back in 5 minutes' },
  { status: 'sent', reason: '250 Accepted' },
  { status: 'bounced', reason: 'host mx.example.org[192.0.2.9] said: 550 5.1.1 No such person here' },
  { status: 'refused', reason: '5.7.1 This site may not send as gmail.com; add the domain to the site first.' },
] as const
const SUBJECTS = ['Your order has shipped', 'New comment on “Opening hours”', 'Reset your password', 'Invoice 2026-117']

const rowOf = (site: { slug: string; server_id: number }, at: number, seed: number): MessageRow => {
  const { status, reason } = FATES[seed % FATES.length] ?? FATES[0]
  return {
    id: newId(at),
    server_id: site.server_id,
    queue_id: `4jTHmx${String(seed).padStart(9, '0')}`,
    site_slug: site.slug,
    sender: `wordpress@${site.slug}.example`,
    recipient: `customer-${seed % 40}@example.com`,
    subject: SUBJECTS[seed % SUBJECTS.length] ?? '',
    size_bytes: 2400 + seed * 13,
    status,
    reason,
    remote: status === 'refused' ? null : 'mx.example.com[192.0.2.7]:25',
    attempts: status === 'refused' ? 0 : 1,
    events: JSON.stringify([
      { at, status: 'queued', text: 'Accepted by the relay.' },
      { at: at + 900, status, text: reason },
    ]),
    words: null,
    created_at: at,
    updated_at: at + 900,
  }
}

/** A day of messages: most arrive. */
export const fillMail = async ({ foundation: { database } }: TestPanel, now: number): Promise<void> => {
  const sites = await database.db.selectFrom('site').select(['slug', 'server_id']).orderBy('slug').limit(6).execute()
  const rows = Array.from({ length: 240 }, (_, seed) => {
    const site = sites[(seed * seed) % Math.max(1, sites.length)]
    return site ? [rowOf(site, now - seed * 6 * MINUTE_MS, seed)] : []
  }).flat()
  for (let at = 0; at < rows.length; at += 60)
    await database.db
      .insertInto('mail_message')
      .values(rows.slice(at, at + 60))
      .execute()
  await fillIndex(database.db)
}
