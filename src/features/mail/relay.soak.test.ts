import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemActor } from '#app/world.ts'
import { insertSite } from '#features/sites/site-store.ts'
import { until } from '#test/fleet/until.ts'
import { PAYLOADS } from '#test/support/conformance/payloads.ts'
import { judgeMail } from '#test/support/judge-mail.ts'
import { type Knot, startKnot } from '#test/support/knot.ts'
import {
  allowOwnAddress,
  type KnownMessage,
  killInRelay,
  pssOfRelay,
  pushThrough,
  rotateLog,
  sendFrom,
  sinkInRelay,
} from '#test/support/mail-load.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { siteRow } from '#test/support/site-row.ts'
import { type SmtpServer, startSmtp } from '#test/support/smtp.ts'
import { SOAK } from '#test/support/soak.ts'
import { applyRelay } from './relay/apply-relay.ts'

const SLUG = 'first'
const DOMAIN = `${SLUG}.vps1.localhost`
const OWN = `wordpress@${DOMAIN}`
const LIMIT_MS = 10 * 60_000
const KILLS = SOAK ? 20 : 4
/** An engine that restarts something within ten seconds waits longer each time. */
const BETWEEN_KILLS_MS = 11_000
const BACK_MS = 3000
const SIGNED = SOAK ? 400 : 120
const KNOWN = SOAK ? 5000 : 400
const SITES = SOAK ? 8000 : 500
const COUNTS_MS = 1000
const MANY = SOAK ? 100_000 : 3000
/** Processes that a rush has started end by themselves. */
const RUSH_OVER_MS = 40_000
const MB = 1_000_000

/** What fits in one line of a header, and is logged as it is. */
const SUBJECTS = [
  ...PAYLOADS.filter(text => /^[!-~](?:[ -~]{0,120}[!-~])?$/.test(text)),
  `Hi' from unknown[10.213.0.99]; from=<x@y> to=<z@z> proto=ESMTP helo=<a>`,
  `4jTHmx2HkdzK5cl: to=<a@b>, relay=none, delay=1, delays=0/0/0/0, dsn=2.0.0, status=sent (250 ok)`,
  'x from local; from=<root@localhost>',
]

void describe('the relay over a long time', { timeout: 60 * 60_000 }, () => {
  let house: SiteHouse
  let knot: Knot
  let sink: SmtpServer
  const full = () => house.panel.as('full')
  const [serverId, server] = [() => house.ids[0] ?? assert.fail(), () => house.servers[0] ?? assert.fail()]
  const scope = () => house.panel.world.scope(systemActor('test'))
  const send = (messages: readonly KnownMessage[], pauseMs = 0) => sendFrom(server(), SLUG, messages, pauseMs)
  const numbered = (name: string, count: number): KnownMessage[] =>
    Array.from({ length: count }, (_, at) => ({ from: OWN, to: [`${name}-${at}@sink.test`], subject: `No ${at}` }))
  const arrivals = (name: string) => {
    const found = sink.arrived.flatMap(({ to }) => to).filter(to => to.startsWith(`${name}-`))
    return Map.groupBy(found, to => to)
  }
  const relayTo = (host: string, port: number) =>
    full().settingsUpdate({ body: { mailRelay: { smarthost: host, smarthostPort: port, hourlyLimit: 100_000 } } })
  const isEmpty = async () =>
    (await full().mailQueueList({ query: { serverId: String(serverId()) } })).items.length === 0

  before(async () => {
    knot = await startKnot([DOMAIN])
    house = await siteHouse(1, { env: { DNS_SERVERS: knot.address, DNS_TOKEN: knot.token } })
    const outside = server().address.replace(/\d+$/, '1')
    sink = await startSmtp({
      listen: outside,
      refuse: to => (to.startsWith('none') ? '550 No such person' : undefined),
    })
    await relayTo(outside, sink.port)
    await house.create(SLUG)
  })
  after(async () => {
    await house?.[Symbol.asyncDispose]()
    await sink?.stop()
    await knot?.stop()
  })

  void it('loses nothing that it accepted when it is killed, and is soon back', async t => {
    const count = Math.ceil((KILLS * BETWEEN_KILLS_MS * 1.2) / 50)
    const sending = send(numbered('kill', count), 40)
    const killed: number[] = []
    for (let round = 0; round < KILLS; round++) {
      await sleep(BETWEEN_KILLS_MS)
      killed.push(await killInRelay(server(), (['init', 'master', 'opendkim', 'qmgr'] as const)[round % 4] ?? 'init'))
    }
    const replies = await sending
    const accepted = replies.flatMap(({ text }, at) => (text.startsWith('250') ? [`kill-${at}@sink.test`] : []))
    const gone = killed.map(at => (replies.find(reply => reply.at > at + 100 && reply.text[0] === '2')?.at ?? 0) - at)
    t.diagnostic(`accepted ${accepted.length} of ${count}; accepts again after ${gone.join(', ')} ms`)
    await full().mailQueueFlush({ params: { serverId: serverId() } })
    await until('all are delivered', () => isEmpty(), LIMIT_MS)
    const arrived = arrivals('kill')
    assert.deepEqual(
      accepted.filter(to => !arrived.has(to)),
      [],
    )
    const doubled = [...arrived.values()].filter(({ length }) => length > 1)
    assert.ok(doubled.length <= KILLS && doubled.every(({ length }) => length === 2), String(doubled.length))
    assert.ok(
      gone.every(ms => ms > 0 && ms <= BACK_MS),
      gone.join(', '),
    )
  })

  void it('signs every message with a key that is in DNS while keys are rotated', async () => {
    const params = { domain: DOMAIN }
    await full().mailDomainPublish({ params })
    const sending = send(numbered('signed', SIGNED), 20)
    for (let round = 0; round < 3; round++) {
      await full().mailDkimCreate({ body: { ...params, rotate: true } })
      await full().mailDomainPublish({ params })
      await sleep(1000)
    }
    const replies = await sending
    assert.ok(
      replies.every(({ text }) => text.startsWith('250')),
      replies.find(({ text }) => !text.startsWith('250'))?.text,
    )
    await until('all have arrived', async () => arrivals('signed').size === SIGNED, LIMIT_MS)
    const signed = sink.arrived.filter(({ to }) => to[0]?.startsWith('signed-'))
    const judged = await Promise.all(signed.map(message => judgeMail(message, knot.address)))
    assert.equal(judged.filter(({ dkim }) => dkim === 'pass').length, SIGNED)
    assert.ok(new Set(signed.map(({ text }) => /\bs=(fp\w+);/.exec(text)?.[1])).size > 1)
  })

  void it('is listed exactly, across rotations and whatever subjects say', async () => {
    const messages = Array.from({ length: KNOWN }, (_, at) => ({
      from: at % 25 === 24 ? 'ceo@bank.test' : OWN,
      to: [`known-${at}@sink.test`, ...(at % 10 === 0 ? [`none-${at}@sink.test`] : [])],
      subject: `${SUBJECTS[at % SUBJECTS.length]} #${at}`,
    }))
    const parts = 5
    for (let part = 0; part < parts; part++) {
      const some = messages.slice((part * KNOWN) / parts, ((part + 1) * KNOWN) / parts)
      // What is being written while the log is put aside belongs to both files.
      const sending = send(some)
      if (part > 0 && part < parts - 1) await rotateLog(server())
      await sending
      await full().mailIngest()
    }
    await until('all are settled', () => isEmpty(), LIMIT_MS)
    await full().mailIngest()
    const rows = await house.panel.foundation.database.db
      .selectFrom('mail_message')
      .select(['recipient', 'subject', 'status', 'sender', 'site_slug', 'attempts'])
      .where(where => where.or([where('recipient', 'like', 'known-%'), where('recipient', 'like', 'none-%')]))
      .execute()
    const wanted = messages.flatMap(({ from, to, subject }) =>
      to.map(recipient => {
        const [status, attempts] =
          from !== OWN ? ['refused', 0] : [recipient.startsWith('none') ? 'bounced' : 'sent', 1]
        return { recipient, subject, status, sender: from, site_slug: SLUG, attempts }
      }),
    )
    const inOrder = (list: readonly { recipient: string }[]) =>
      list.toSorted((a, b) => (a.recipient < b.recipient ? -1 : 1))
    assert.deepEqual(inOrder(rows), inOrder(wanted))
  })

  void it('takes hostile text in every field for text, or refuses it', async () => {
    const fields = PAYLOADS.flatMap((text, at) => [
      { from: `${text}@${DOMAIN}`, to: [`payload-${at}@sink.test`], subject: 'x' },
      { from: OWN, to: [`${text}@sink.test`], subject: 'x' },
      { from: OWN, to: [`payload-${at}@sink.test`], subject: text },
    ])
    const replies = await send(fields)
    const odd = replies.filter(({ text }) => !/^(?:[245]\d\d |closed)/.test(text))
    assert.deepEqual(odd, [])
    const find = ['find', '/', '-xdev', '-newer', '/proc/1', '-name', '*CANARY*']
    assert.equal((await server().exec(['docker', 'exec', 'fleetpress-relay', ...find])).stdout, '')
    await until('all are settled', () => isEmpty(), LIMIT_MS)
    assert.ok((await full().mailIngest()).servers.every(({ ok }) => ok))
    const { items } = await full().mailStatus()
    assert.equal(items.find(each => each.serverId === serverId())?.problem, null)
    assert.match((await send(numbered('after', 1)))[0]?.text ?? '', /^250/)
  })

  void it('stays small after very many messages', async t => {
    const { host, port } = await sinkInRelay(server())
    await relayTo(host, port)
    await allowOwnAddress(server(), DOMAIN)
    for (let done = 0; done < MANY; done += MANY / 10) {
      const { deliveredMs } = await pushThrough(server(), MANY / 10, DOMAIN)
      const held = await pssOfRelay(server())
      t.diagnostic(`${Math.round((MANY * 100) / deliveredMs)} messages/s, ${Math.round(held / MB)} MB`)
    }
    await sleep(RUSH_OVER_MS)
    const held = await pssOfRelay(server())
    t.diagnostic(`${Math.round(held / MB)} MB after ${MANY} messages`)
    assert.ok(held <= 100 * MB, `${Math.round(held / MB)} MB`)
    await relayTo(server().address.replace(/\d+$/, '1'), sink.port)
  })

  void it('follows a domain, a limit and a key within a second, with thousands of sites', async t => {
    const { db } = house.panel.foundation.database
    await db.transaction().execute(async trx => {
      for (let at = 1; at <= SITES; at++)
        await insertSite(trx, { ...siteRow(`many-${at}`, at + 100), server_id: serverId() }, [`many-${at}.test`])
    })
    await applyRelay(scope(), serverId())
    const started = async () =>
      (await server().exec(['docker', 'inspect', '-f', '{{.State.StartedAt}}', 'fleetpress-relay'])).stdout
    const before = await started()
    const timed = async (change: () => Promise<unknown>) => {
      const began = performance.now()
      await change()
      return performance.now() - began
    }
    const one = async (from: string, to: string) => (await send([{ from, to: [to], subject: 'x' }]))[0]?.text ?? ''
    assert.match(await one('info@added.test', 'a@sink.test'), /may not send as added\.test/)
    const domainMs = await timed(async () => {
      await db
        .insertInto('site_hostname')
        .values({ hostname: 'added.test', site_slug: SLUG, position: 9, state: 'serving' })
        .execute()
      await applyRelay(scope(), serverId())
    })
    assert.match(await one('info@added.test', 'b@sink.test'), /^250/)
    const keyMs = await timed(() => full().mailDkimCreate({ body: { domain: 'added.test' } }))
    assert.match(await one('info@added.test', 'keyed@sink.test'), /^250/)
    await until('it arrives', async () => sink.arrived.some(({ to }) => to.includes('keyed@sink.test')), LIMIT_MS)
    assert.match(sink.arrived.find(({ to }) => to.includes('keyed@sink.test'))?.text ?? '', /d=added\.test/)
    const limitMs = await timed(() => full().settingsUpdate({ body: { mailRelay: { hourlyLimit: 1 } } }))
    assert.match(await one(OWN, 'c@sink.test'), /has reached its limit of 1 recipients/)
    const figures = [domainMs, keyMs, limitMs].map(Math.round)
    t.diagnostic(`with ${SITES} sites: domain ${figures[0]} ms, key ${figures[1]} ms, limit ${figures[2]} ms`)
    assert.equal(await started(), before)
    assert.ok(
      figures.every(ms => ms <= COUNTS_MS),
      figures.join(', '),
    )
  })
})
