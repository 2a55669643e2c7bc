import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeWords } from './decode-words.ts'
import { parseLine } from './parse-line.ts'
import { parseQueue } from './parse-queue.ts'

const NOW = Date.UTC(2026, 10, 17, 9)
const AT = Date.UTC(2026, 10, 17, 8, 23, 29)
const read = (rest: string) => parseLine(`Nov 17 08:23:29 mail postfix/${rest}`, NOW)
const CLIENT = 'unknown[10.213.0.2]'
const QUEUE_ID = '4jTHmx1q2LzK5ck'
const FAKE = `hi from unknown[1.2.3.4]; from=<x@y> to=<z@z> proto=ESMTP helo=<a>`

void describe("lines of Postfix's log", () => {
  void it('say who sends to whom', () => {
    const line = `smtpd[204]: ${QUEUE_ID}: info: RCPT from ${CLIENT}: recipient; from=<wp@shop.test> to=<a@x.test> proto=ESMTP helo=<s>`
    const wanted = {
      at: AT,
      queueId: QUEUE_ID,
      kind: 'recipient',
      client: '10.213.0.2',
      from: 'wp@shop.test',
      to: 'a@x.test',
    }
    assert.deepEqual(read(line), wanted)
  })

  void it('are not fooled by a subject', () => {
    const line = `cleanup[211]: ${QUEUE_ID}: info: header Subject: ${FAKE} from ${CLIENT}; from=<wp@shop.test> to=<b@x.test> proto=ESMTP helo=<s>`
    const event = read(line)
    assert.ok(event?.kind === 'subject')
    assert.deepEqual(
      [event.subject, event.client, event.from, event.to],
      [FAKE, '10.213.0.2', 'wp@shop.test', 'b@x.test'],
    )
    const local = read(
      `cleanup[211]: ${QUEUE_ID}: info: header Subject: test from local; from=<p@shop.test> to=<c@x.test>`,
    )
    assert.ok(local?.kind === 'subject')
    assert.deepEqual([local.subject, local.client, local.to], ['test', null, 'c@x.test'])
  })

  void it('say what became of it, in the words of the other side', () => {
    const hostile = `250 ok) status=bounced (no; to=<other@x.test>, relay=none`
    const sent = `smtp[212]: ${QUEUE_ID}: to=<a@x.test>, relay=mx.x.test[192.0.2.1]:25, delay=3.2, delays=0.06/0.06/3.1/0, dsn=2.0.0, status=sent (${hostile})`
    const wanted = {
      at: AT,
      queueId: QUEUE_ID,
      kind: 'delivery',
      to: 'a@x.test',
      remote: 'mx.x.test[192.0.2.1]:25',
      outcome: 'sent',
      text: hostile,
    }
    assert.deepEqual(read(sent), wanted)
    const deferred = `smtp[1]: ${QUEUE_ID}: to=<a@x.test>, relay=none, delay=3, delays=0/0/3/0, dsn=4.4.1, status=deferred (No route to host)`
    const event = read(deferred)
    assert.ok(event?.kind === 'delivery')
    assert.deepEqual([event.outcome, event.remote, event.text], ['deferred', null, 'No route to host'])
    assert.equal(read(`qmgr[1]: ${QUEUE_ID}: from=<a@b>, status=expired, returned to sender`)?.kind, 'expired')
    assert.equal(read(`postsuper[1]: ${QUEUE_ID}: removed`)?.kind, 'dropped')
    assert.equal(read(`cleanup[1]: ${QUEUE_ID}: removed (canceled)`)?.kind, 'canceled')
    const notice = read(`bounce[1]: ${QUEUE_ID}: sender non-delivery notification: 4jTHmx2HkdzK5cl`)
    assert.ok(notice?.kind === 'notice')
    assert.equal(notice.noticeId, '4jTHmx2HkdzK5cl')
    const active = read(`qmgr[1]: ${QUEUE_ID}: from=<a@b>, size=383, nrcpt=2 (queue active)`)
    assert.ok(active?.kind === 'active')
    assert.equal(active.sizeBytes, 383)
  })

  void it('say why it was refused', () => {
    const whole = read(
      `cleanup[1]: ${QUEUE_ID}: milter-reject: END-OF-MESSAGE from ${CLIENT}: 5.7.1 Site shop may not send as evil.test.; from=<wp@evil.test> to=<a@x.test> proto=ESMTP helo=<s>`,
    )
    assert.ok(whole?.kind === 'refusal')
    assert.deepEqual([whole.whole, whole.text], [true, '5.7.1 Site shop may not send as evil.test.'])
    const one = read(
      `smtpd[1]: ${QUEUE_ID}: reject: RCPT from ${CLIENT}: 554 5.7.1 <a b@s>: Sender address rejected: no; from=<"a b"@s> to=<a@x.test> proto=ESMTP helo=<s>`,
    )
    assert.ok(one?.kind === 'refusal')
    assert.deepEqual([one.whole, one.from, one.to], [false, '"a b"@s', 'a@x.test'])
    const unreadable = read(
      `cleanup[1]: ${QUEUE_ID}: milter-header-reject: header Authentication-Results: post.test; dkim=permerror (bad message/signature format) from ${CLIENT}; from=<wp@shop.test> to=<a@x.test> proto=ESMTP helo=<s>: 5.7.1 The From line cannot be read`,
    )
    assert.ok(unreadable?.kind === 'refusal')
    const { whole: isWhole, text, from, to } = unreadable
    assert.deepEqual(
      [isWhole, text, from, to],
      [true, '5.7.1 The From line cannot be read', 'wp@shop.test', 'a@x.test'],
    )
  })

  void it('of last year are of last year, and others are about no message', () => {
    const january = Date.UTC(2027, 0, 1, 1)
    const line = `Dec 31 23:59:59 mail postfix/qmgr[1]: ${QUEUE_ID}: removed`
    assert.equal(parseLine(line, january)?.at, Date.UTC(2026, 11, 31, 23, 59, 59))
    assert.equal(read('smtpd[204]: connect from unknown[10.213.0.2]'), undefined)
    assert.equal(parseLine('', NOW), undefined)
    assert.equal(parseLine(`Nov 99 08:23:29 mail postfix/qmgr[1]: ${QUEUE_ID}: removed`, NOW), undefined)
  })

  void it('the queue is read as it is, and broken lines are left out', () => {
    const line = `{"queue_name": "deferred", "queue_id": "${QUEUE_ID}", "arrival_time": 1794903810, "message_size": 281, "forced_expire": false, "sender": "p@shop.test", "recipients": [{"address": "c@x.test", "delay_reason": "later"}, {"address": "d@x.test"}]}`
    const recipients = [
      { to: 'c@x.test', reason: 'later' },
      { to: 'd@x.test', reason: null },
    ]
    assert.deepEqual(parseQueue(`${line}\n{"broken\n`), [
      {
        queueId: QUEUE_ID,
        queue: 'deferred',
        arrivedAt: 1_794_903_810_000,
        sizeBytes: 281,
        from: 'p@shop.test',
        recipients,
      },
    ])
  })

  void it('subjects are read as people wrote them, in parts, cut off or broken', () => {
    const cases: Record<string, string> = {
      'Plain? Yes =?': 'Plain? Yes =?',
      '=?UTF-8?Q?Gr=C3=BC=C3=9Fe_an?= Ann': 'Grüße an Ann',
      '=?UTF-8?Q?Gr=C3=BC=C3?=? =?UTF-8?Q?=9Fe_=3D_an?=': 'Gr\u00fc\ufffd\ufffde = an',
      '=?utf-8?B?R3LDvMOfZQ==?= =?iso-8859-1?Q?_f=FCr?= all': 'Grüße für all',
      '=?UTF-8?Q?Order_12?=? =?UTF-8?Q?_is_on_its_w': 'Order 12…',
      '=?nonsense?Q?x?=': '=?nonsense?Q?x?=',
    }
    for (const [header, wanted] of Object.entries(cases)) assert.equal(decodeWords(header), wanted)
  })
})
