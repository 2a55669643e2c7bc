import { type RawBuilder, sql } from 'kysely'
import { fillIndex } from '#features/mail/messages/message-store.ts'
import { ENGINES, testPanel } from '#test/support/panel.ts'
import { type Figure, median, report } from './report.ts'

const ROWS = 1_000_000
/** Of all questions, fewer than a caller may ask in a minute. */
const ROUNDS = 9
const NOW = Date.now()
const MONTH_MS = 30 * 86_400_000

/** A million messages of a month, of a hundred sites on five servers. The database writes them itself. */
const fill = (numbers: RawBuilder<unknown>) => sql`
insert into mail_message (id, server_id, queue_id, site_slug, sender, recipient, subject, size_bytes, status, reason, remote,
  attempts, events, created_at, updated_at)
select '01a1ea53-770a-7000-8000-' || (100000000000 + n), n % 5 + 1, '4jTHmx' || (100000000 + n), 'site-' || (n % 100), 'wordpress@site-' || (n % 100) || '.example',
  'customer-' || (n % 50000) || '@example.com', 'Order ' || n || ' has been shipped', 2400,
  case when n % 50 = 0 then 'bounced' when n % 97 = 0 then 'deferred' when n % 211 = 0 then 'refused' else 'sent' end,
  'host mx.example.com[192.0.2.7] said: 250 2.0.0 Ok: queued as ' || n, 'mx.example.com[192.0.2.7]:25', 1,
  '[{"at":1,"status":"queued","text":"Accepted by the relay."},{"at":2,"status":"sent","text":"250 Ok"}]',
  ${sql.lit(NOW - MONTH_MS)} + n * ${sql.lit(Math.floor(MONTH_MS / ROWS))}, ${sql.lit(NOW)}
from ${numbers}`

const NUMBERS = {
  sqlite: sql`(with recursive count(n) as (select 1 union all select n + 1 from count where n < ${sql.lit(ROWS)}) select n from count)`,
  postgres: sql`generate_series(1::bigint, ${sql.lit(ROWS)}) as n`,
}

/** What people ask for; one that finds nothing looks the longest. */
const QUESTIONS: Record<string, Record<string, string>> = {
  'the newest': {},
  'further back': { offset: '1000' },
  'of a site': { siteSlug: 'site-42' },
  'that bounced': { status: 'bounced' },
  'of a server': { serverId: '3' },
  'of the last day': { hours: '24' },
  'of a site that bounced': { siteSlug: 'site-50', status: 'bounced' },
  'to an address': { search: 'customer-4711@example.com' },
  'from an address of many': { search: 'wordpress@site-42.example' },
  'with a queue id': { search: '4jTHmx100777777' },
  'with a common word': { search: 'shipped' },
  'with the beginning of a common word': { search: 'ord' },
  'with a common word, further back': { search: 'shipped', offset: '1000' },
  'with a rare word': { search: '777777' },
  'with a common and a rare word': { search: 'order 555555' },
  'with three common words': { search: 'customer order shipped' },
  'with a word of one site': { search: 'order site 42' },
  'with the beginning of an address': { search: 'customer-4711@' },
  'of a site, with a common word': { search: 'shipped', siteSlug: 'site-42' },
  'that bounced, with a common word': { search: 'shipped', status: 'bounced' },
  'with a part of a word': { search: 'rder 999' },
  'with a word that is nowhere': { search: 'unheard' },
  'with a common word and one that is nowhere': { search: 'order unheard' },
  'with a text that is nowhere': { search: 'no such text' },
  'with the beginning of an address that is nowhere': { search: 'nobody@' },
  'of a site, with a text that is nowhere': { search: 'no such text', siteSlug: 'site-42' },
}

const figures: Figure[] = []
for (const engineName of ENGINES) {
  const panel = await testPanel({ engineName })
  const { db } = panel.foundation.database
  await fill(NUMBERS[engineName]).execute(db)
  const began = performance.now()
  while ((await fillIndex(db)) > 0);
  const indexedMs = (performance.now() - began) / ROWS
  await (engineName === 'sqlite' ? sql`analyze` : sql`vacuum analyze`).execute(db)
  const api = panel.as('read-only')
  for (const [name, asked] of Object.entries(QUESTIONS)) {
    const taken: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const began = performance.now()
      const { items } = await api.mailMessageList({ query: { ...asked, limit: '50' } })
      taken.push(performance.now() - began)
      if (items.length === 0 && !name.endsWith('nowhere')) throw new Error(`nothing ${name}`)
    }
    const about = `50 of ${ROWS.toLocaleString('en')} messages ${name}, ${engineName}`
    figures.push({ name: about, unit: 'ms', ours: median(taken), limit: { atMost: 10 } })
  }
  figures.push({
    name: `one message gets into the index of words, ${engineName}`,
    unit: 'ms',
    ours: indexedMs,
    limit: { atMost: 1 },
  })
  await panel.stop()
}
report('mail-messages', figures)
