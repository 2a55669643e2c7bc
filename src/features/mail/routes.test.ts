import assert from 'node:assert/strict'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { changeServer } from '#features/servers/index.ts'
import { insertSite } from '#features/sites/site-store.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import { tidyMail } from './housekeeping.ts'
import { ingest } from './messages/ingest.ts'

const pad = (value: number) => String(value).padStart(2, '0')
const stampOf = (at: number) => {
  const time = new Date(at)
  const month = time.toLocaleString('en', { month: 'short', timeZone: 'UTC' })
  const day = String(time.getUTCDate()).padStart(2, ' ')
  return `${month} ${day} ${pad(time.getUTCHours())}:${pad(time.getUTCMinutes())}:${pad(time.getUTCSeconds())}`
}
const NOW = Date.now()
const logged = (program: string, id: string, text: string, at = NOW) =>
  `${stampOf(at)} mail postfix/${program}[1]: ${id}: ${text}\n`
const idOf = (number: number) => `4jTHmx${String(number).padStart(9, '0')}`
const received = (id: string, to: string) =>
  logged(
    'smtpd',
    id,
    `info: RCPT from unknown[10.213.0.2]: recipient; from=<wp@bakery.example> to=<${to}> proto=ESMTP helo=<s>`,
  )
const titled = (id: string, subject: string, to: string) =>
  logged(
    'cleanup',
    id,
    `info: header Subject: ${subject} from unknown[10.213.0.2]; from=<wp@bakery.example> to=<${to}> proto=ESMTP helo=<s>`,
  )
const delivered = (id: string, to: string, status: string, text: string) =>
  logged(
    'smtp',
    id,
    `to=<${to}>, relay=mx.test[192.0.2.1]:25, delay=1, delays=0/0/1/0, dsn=2.0.0, status=${status} (${text})`,
  )

for (const engineName of ENGINES)
  void describe(`mail on ${engineName}`, { timeout: 120_000 }, () => {
    let panel: TestPanel
    let folder = ''
    const read = () => panel.as('read-only')
    const full = () => panel.as('full')
    const scope = () => panel.world.scope(systemActor('test'))
    const log = (text: string, name = 'mail.log') => writeFile(join(folder, name), text, { flag: 'a' })
    const readLog = () => ingest(scope(), { serverId: 1, folder })
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'fleetpress-mail-'))
      panel = await testPanel({ engineName })
      const { db } = panel.foundation.database
      await insertSite(db, siteRow('bakery'), ['www.bakery.example', 'bakery.example'])
      await changeServer(db, 1, { public_ip: '192.0.2.10' })
    })
    after(async () => {
      await panel.stop()
      await rm(folder, { recursive: true, force: true })
    })

    void it('reads the log bit by bit, across rotation, and never twice', async () => {
      await readLog()
      await log(`${stampOf(NOW)} mail postfix/master[1]: daemon started\n`)
      const [first, second] = [idOf(1), idOf(2)]
      await log(received(first, 'ann@x.test') + received(first, 'bob@x.test') + titled(first, 'Hello', 'bob@x.test'))
      await log(logged('qmgr', first, 'from=<wp@bakery.example>, size=383, nrcpt=2 (queue active)').slice(0, 40))
      await readLog()
      assert.deepEqual(
        (await read().mailMessageList({ query: {} })).items.map(({ status }) => status),
        ['queued', 'queued'],
      )
      await log(logged('qmgr', first, 'from=<wp@bakery.example>, size=383, nrcpt=2 (queue active)').slice(40))
      await log(delivered(first, 'ann@x.test', 'sent', '250 thank you \u001b[31m'))
      await rename(join(folder, 'mail.log'), join(folder, 'mail.log.1'))
      await log(delivered(first, 'bob@x.test', 'deferred', '451 later'), 'mail.log.1')
      await log(delivered(first, 'bob@x.test', 'bounced', '550 no one here'))
      await log(
        logged(
          'smtpd',
          second,
          'reject: RCPT from unknown[10.213.0.2]: 554 5.7.1 no; from=<a@evil.test> to=<ann@x.test> proto=ESMTP helo=<s>',
        ),
      )
      await Promise.all([readLog(), readLog()])
      await readLog()
      const { items, total } = await read().mailMessageList({ query: { siteSlug: 'bakery' } })
      assert.equal(total, 3)
      const found = Object.fromEntries(items.map(item => [`${item.queueId} ${item.to}`, item]))
      const [ann, bob, evil] = [
        found[`${first} ann@x.test`],
        found[`${first} bob@x.test`],
        found[`${second} ann@x.test`],
      ]
      assert.deepEqual([ann?.status, ann?.subject, ann?.sizeBytes, ann?.attempts], ['sent', 'Hello', 383, 1])
      assert.equal(ann?.reason, '250 thank you \ufffd[31m')
      assert.deepEqual(
        [bob?.status, bob?.attempts, bob?.reason, bob?.remote],
        ['bounced', 2, '550 no one here', 'mx.test[192.0.2.1]:25'],
      )
      assert.deepEqual(
        bob?.events.map(({ status }) => status),
        ['queued', 'deferred', 'bounced'],
      )
      assert.deepEqual([evil?.status, evil?.from, evil?.events.length], ['refused', 'a@evil.test', 1])
    })

    void it('keeps hundreds of known messages exactly', async () => {
      const ids = Array.from({ length: 500 }, (_, at) => idOf(1000 + at))
      const text = ids.map(
        id =>
          received(id, 'many@y.test') +
          titled(id, `No ${id}'; from=<a@b> to=<c@d>`, 'many@y.test') +
          delivered(id, 'many@y.test', 'sent', '250 ok'),
      )
      await log(text.join(''))
      await readLog()
      const query = { search: 'MANY@y.test', status: 'sent', serverId: '1', hours: '2' } as const
      const { items, total } = await read().mailMessageList({ query: { ...query, limit: '200' } })
      assert.deepEqual([items.length, total], [200, 500])
      assert.ok(items.every(({ subject, queueId }) => subject === `No ${queueId}'; from=<a@b> to=<c@d>`))
      assert.equal((await read().mailMessageList({ query: { search: '%' } })).total, 0)
      const { totals, hours, sites } = await read().mailStats({ query: { hours: '2' } })
      assert.deepEqual([totals.sent, totals.bounced, totals.refused, hours.length], [501, 1, 1, 2])
      assert.equal(
        hours.reduce((sum, { counts }) => sum + (counts.sent ?? 0), 0),
        501,
      )
      assert.deepEqual(sites, [{ siteSlug: 'bakery', messages: 503, failed: 2 }])
    })

    void it('says when much bounces, and forgets what is old', async () => {
      const ids = Array.from({ length: 200 }, (_, at) => idOf(5000 + at))
      await log(ids.map(id => received(id, 'x@z.test') + delivered(id, 'x@z.test', 'bounced', '550 no')).join(''))
      await readLog()
      const bounces = async () => (await read().overview()).attention.find(({ id }) => id === 'mail-bounces:bakery')
      assert.match((await bounces())?.detail ?? '', /^201 of 703 messages/)
      await full().settingsUpdate({ body: { mailRelay: { keepMessagesForDays: 1 } } })
      const later = { ...scope(), now: () => NOW + 2 * 86_400_000 }
      assert.match(await tidyMail(later), /^Deleted 703 old messages/)
      assert.equal((await read().mailMessageList({ query: {} })).total, 0)
    })

    void it('creates DKIM keys of 2048 bits, the next one next to the first, and deletes them', async () => {
      const body = { domain: 'bakery.example' }
      const { key } = await full().mailDkimCreate({ body })
      assert.match(key.record.name, /^fp\d{8}\._domainkey\.bakery\.example$/)
      assert.ok((/p=(.*)$/.exec(key.record.content)?.[1]?.length ?? 0) > 380)
      await assert.rejects(full().mailDkimCreate({ body }), { code: 'conflict' })
      const next = await full().mailDkimCreate({ body: { ...body, rotate: true } })
      assert.deepEqual([key.state, next.key.state], ['active', 'next'])
      assert.notEqual(next.key.selector, key.selector)
      await assert.rejects(full().mailDkimCreate({ body: { ...body, rotate: true } }), { code: 'conflict' })
      const { items } = await read().mailDkimList()
      assert.deepEqual(
        items.map(({ state }) => state),
        ['active', 'next'],
      )
      assert.doesNotMatch(JSON.stringify(items), /PRIVATE/)
      await full().mailDkimSync()
      await full().mailDkimDelete({ params: body })
      assert.deepEqual((await read().mailDkimList()).items, [])
      await assert.rejects(full().mailDkimDelete({ params: body }), { code: 'not_found' })
    })

    void it('lists domains with what DNS says, and says when that is nothing', async () => {
      const { items } = await read().mailDomainList({ query: {} })
      assert.deepEqual(
        items.map(({ domain, siteSlugs }) => [domain, siteSlugs]),
        [['bakery.example', ['bakery']]],
      )
      assert.equal(items[0]?.spf.verdict, 'unknown')
      const { domain } = await full().mailDomainCheck({ params: { domain: 'bakery.example' } })
      assert.equal(domain.dmarc.verdict, 'unknown')
      await assert.rejects(read().mailDomainList({ query: { domain: 'other.example' } }), { code: 'not_found' })
      await assert.rejects(full().mailDomainPublish({ params: { domain: 'bakery.example' } }), {
        code: 'conflict',
        message: /DNS token/,
      })
      assert.deepEqual((await read().mailDkimList()).items, [])
    })

    void it('names relays, and refuses what needs a server or a provider', async () => {
      const params = { serverId: 1 }
      const first = (await read().mailStatus()).items[0]
      assert.match(first?.hostname ?? '', /^mail\./)
      const set = await full().mailHostnameSet({ params, body: { hostname: 'post.example.com' } })
      assert.deepEqual([set.hostname, set.isDefault], ['post.example.com', false])
      await assert.rejects(full().mailHostnameSet({ params, body: { hostname: 'post' } }), { code: 'validation_error' })
      assert.equal((await full().mailHostnameReset({ params })).hostname, first?.hostname)
      await assert.rejects(full().mailHostnamePublish({ params }), {
        code: 'conflict',
        message: /DNS token/,
      })
      await assert.rejects(full().mailQueueFlush({ params }), { code: 'conflict' })
      await assert.rejects(full().mailQueueDrop({ params: { serverId: 99, queueId: 'ALL' } }), { code: 'not_found' })
      assert.deepEqual(await read().mailQueueList({ query: {} }), { items: [], problems: [] })
      const test = { from: 'a@elsewhere.example', to: 'b@x.test' }
      await assert.rejects(full().mailTest({ body: test }), { code: 'conflict', message: /elsewhere\.example/ })
      const setup = await read().mailSetup()
      assert.deepEqual([setup.mode, setup.hasDnsProvider, setup.servers[0]?.checks.length], ['direct', false, 4])
      assert.deepEqual(
        setup.domains.map(({ domain }) => domain),
        ['bakery.example'],
      )
    })
  })
