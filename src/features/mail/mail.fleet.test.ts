import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { until } from '#test/fleet/until.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { type SmtpServer, startSmtp } from '#test/support/smtp.ts'
import { probeFromOutside, spoofedMail } from '#test/support/spoofed-mail.ts'
import { verifyDkim } from '#test/support/verify-dkim.ts'
import { relayOf } from './relay/own-relay.ts'

const SLUG = 'first'
const DOMAIN = `${SLUG}.vps1.localhost`
const LIMIT_MS = 90_000
const RELAY = '10.213.255.249'
const FAKE = `Hi' from unknown[10.213.0.99]; from=<x@y> to=<z@z> proto=ESMTP helo=<a>`

/** Speaks SMTP to the relay from inside the site, as hostile code there would. */
const SPEAK = `
$relay = stream_socket_client("tcp://${RELAY}:25", $code, $why, 10) or exit("no relay");
$hear = function () use ($relay) { do { $line = fgets($relay, 4096); } while ($line !== false && ($line[3] ?? "") === "-"); return $line; };
$hear();
foreach (json_decode($argv[1], true) as $line) { fwrite($relay, $line . "\\r\\n"); $last = $hear(); if ($last === false || $last[0] > "3") exit($last ?: "closed"); }
echo $last;`

void describe('mail of sites', { timeout: 20 * 60_000 }, () => {
  let house: SiteHouse
  let sink: SmtpServer
  let later = new Set<string>()
  const full = () => house.panel.as('full')
  const [serverId, server] = [() => house.ids[0] ?? assert.fail(), () => house.servers[0] ?? assert.fail()]
  const inSite = async (...words: string[]) => {
    const { stdout, stderr } = await server().exec(['docker', 'exec', `fleetpress-site-${SLUG}`, ...words])
    return `${stdout}${stderr}`.trim()
  }
  const php = (code: string, ...words: string[]) => inSite('php', '-r', code, '--', ...words)
  const speak = (...lines: string[]) => php(SPEAK, JSON.stringify(['EHLO site.test', ...lines]))
  const arrivedAt = async (recipient: string) => {
    await until(`mail to ${recipient}`, async () => sink.arrived.some(({ to }) => to.includes(recipient)), LIMIT_MS)
    return sink.arrived.find(({ to }) => to.includes(recipient)) ?? assert.fail()
  }
  const messages = async (query: Record<string, string> = {}) => {
    const { servers } = await full().mailIngest()
    assert.ok(
      servers.every(({ ok }) => ok),
      JSON.stringify(servers),
    )
    return (await full().mailMessageList({ query })).items
  }
  const statusOf = async (to: string) => (await messages({ search: to }))[0]?.status

  before(async () => {
    house = await siteHouse(1)
    const listen = server().address.replace(/\d+$/, '1')
    sink = await startSmtp({
      listen,
      refuse: to => (later.has(to) ? '451 Come back later' : to.startsWith('none') ? '550 No such person' : undefined),
    })
    await full().settingsUpdate({
      body: { mailRelay: { smarthost: listen, smarthostPort: sink.port, hourlyLimit: 50 } },
    })
    await house.create(SLUG)
  })
  after(async () => {
    await sink?.stop()
    await house?.[Symbol.asyncDispose]()
  })

  void it('leaves by mail() and wp_mail, signed for its domain', async () => {
    const { key, servers } = await full().mailDkimCreate({ body: { domain: DOMAIN } })
    assert.ok(
      servers.some(each => each.serverId === serverId() && each.ok),
      JSON.stringify(servers),
    )
    const publicKey = /p=(.*)$/.exec(key.record.content)?.[1] ?? assert.fail()
    assert.equal(
      await php(`var_dump(mail("one@sink.test", "By mail()", "First line\\n.hidden dot\\n"));`),
      'bool(true)',
    )
    const { accepted, detail } = await full().wpTestMail({ params: { slug: SLUG }, body: { to: 'two@sink.test' } })
    assert.ok(accepted, detail)
    for (const recipient of ['one@sink.test', 'two@sink.test']) {
      const { from, text } = await arrivedAt(recipient)
      assert.equal(from, `wordpress@${DOMAIN}`)
      const verified = verifyDkim(text, () => publicKey)
      assert.deepEqual(verified, { domain: DOMAIN, selector: key.selector, isValid: true }, text)
      assert.equal(verifyDkim(`${text}changed\r\n`, () => publicKey)?.isValid, false)
    }
    assert.match((await arrivedAt('one@sink.test')).text, /\r\n\.hidden dot\r\n/)
  })

  void it('is refused with a reason when it claims to be from elsewhere', async () => {
    const before = sink.arrived.length
    const forms = Object.entries(spoofedMail(DOMAIN))
    assert.ok(forms.length >= 21)
    for (const [form, lines] of forms) assert.match(await speak(...lines), /^[45]\d\d \S/, form)
    assert.match(await speak('VRFY root'), /^5/)
    const refused = await messages({ status: 'refused' })
    assert.ok(refused.length >= 21, String(refused.length))
    assert.ok(refused.every(({ siteSlug, reason }) => siteSlug === SLUG && reason !== ''))
    assert.match(refused.map(({ reason }) => reason).join('\n'), /Site first may not send as bank\.test/)
    assert.equal(sink.arrived.length, before)
  })

  void it('reaches port 25 of no one else', async () => {
    const outside = server().address.replace(/\d+$/, '1')
    const code = `$s = @stream_socket_client("tcp://" . $argv[1], $c, $why, 5); echo $s ? "open" : "closed";`
    assert.equal(await php(code, `${outside}:25`), 'closed')
    assert.equal(await php(code, '198.51.100.7:25'), 'closed')
    assert.equal(await php(code, `${RELAY}:25`), 'open')
    const probes = await probeFromOutside(server().address)
    assert.deepEqual([probes.length, new Set(probes)], [50, new Set(['closed'])])
    const knock = `(exec 3<>/dev/tcp/${server().address}/25) 2>/dev/null && echo open || echo closed`
    const { stdout } = await server().exec(['bash', '-c', knock])
    assert.equal(stdout.trim(), 'closed')
    // A program of the server itself reaches the relay, but is no site.
    const asServer = [
      `MAIL FROM:<wordpress@${DOMAIN}>`,
      'RCPT TO:<victim@sink.test>',
      'DATA',
      'From: a@b.test',
      '',
      '.',
    ]
    // It listens while it speaks: what was said before the connection ended would be lost.
    const talk = `exec 3<>/dev/tcp/${RELAY}/25; timeout 10 cat <&3 & for line; do sleep 0.2; printf '%s\\r\\n' "$line" >&3; done; wait`
    const said = await server().exec(['bash', '-c', talk, 'talk', 'EHLO x.test', ...asServer, 'QUIT'])
    assert.match(said.stdout, /^554 5\.7\.1 .*Access denied/m)
  })

  void it('is one row per recipient, whatever the subject says', async () => {
    const from = `wordpress@${DOMAIN}`
    const to = ['RCPT TO:<ann@sink.test>', 'RCPT TO:<none@sink.test>']
    const text = [`From: ${from}`, `Subject: ${FAKE}`, '', 'x', '.'].join('\r\n')
    const said = await speak(`MAIL FROM:<${from}>`, ...to, 'DATA', text)
    const queueId = /queued as (\w+)/.exec(said)?.[1] ?? assert.fail(said)
    await until(
      'both are settled',
      async () => {
        const rows = await messages({ search: queueId })
        return rows.length === 2 && rows.every(({ status }) => status !== 'queued')
      },
      LIMIT_MS,
    )
    const rows = (await messages({ search: queueId })).toSorted((a, b) => (a.to < b.to ? -1 : 1))
    assert.deepEqual(
      rows.map(({ to: recipient, status, siteSlug, subject, from: sender }) => [
        recipient,
        status,
        siteSlug,
        subject,
        sender,
      ]),
      [
        ['ann@sink.test', 'sent', SLUG, FAKE, from],
        ['none@sink.test', 'bounced', SLUG, FAKE, from],
      ],
    )
    assert.match(rows[1]?.reason ?? '', /No such person/)
    assert.deepEqual(
      rows[0]?.events.map(({ status }) => status),
      ['queued', 'sent'],
    )
    const { totals, sites } = await full().mailStats({ query: {} })
    assert.ok((totals.sent ?? 0) >= 3 && (totals.refused ?? 0) > 0)
    assert.equal(
      sites.find(({ siteSlug }) => siteSlug === SLUG)?.messages,
      (await full().mailMessageList({ query: { siteSlug: SLUG } })).total,
    )
  })

  void it('waits in the queue when the other side asks for it, and is tried again or dropped', async () => {
    later = new Set(['slow@sink.test', 'dull@sink.test', 'dim@sink.test'])
    for (const to of later) assert.equal(await php(`var_dump(mail("${to}", "Later", "x"));`), 'bool(true)')
    const queue = async () => (await full().mailQueueList({ query: { serverId: String(serverId()) } })).items
    const deferred = async () => (await queue()).filter(({ recipients }) => recipients.some(({ reason }) => reason))
    await until('all wait', async () => (await deferred()).length === 3, LIMIT_MS)
    assert.match((await deferred())[0]?.recipients[0]?.reason ?? '', /Come back later/)
    assert.equal(await statusOf('slow@sink.test'), 'deferred')

    const idOf = async (to: string) =>
      (await queue()).find(({ recipients }) => recipients[0]?.to === to)?.queueId ?? assert.fail(to)
    const params = { serverId: serverId(), queueId: await idOf('dull@sink.test') }
    assert.deepEqual(await full().mailQueueDrop({ params }), { dropped: 1 })
    await assert.rejects(full().mailQueueDrop({ params }), { code: 'not_found' })
    assert.equal(await statusOf('dull@sink.test'), 'dropped')

    await full().mailHostnameSet({ params: { serverId: serverId() }, body: { hostname: 'post.example.com' } })
    assert.equal((await queue()).length, 2)
    later.delete('slow@sink.test')
    await until(
      'the flush is seen',
      async () => {
        await full().mailQueueFlush({ params: { serverId: serverId() } })
        return (await queue()).length === 1
      },
      LIMIT_MS,
    )
    await arrivedAt('slow@sink.test')
    assert.equal(await php(`var_dump(mail("named@sink.test", "Named", "x"));`), 'bool(true)')
    assert.match((await arrivedAt('named@sink.test')).text, /by post\.example\.com/)
    await server().exec(['bash', '-c', "kill -9 $(docker inspect -f '{{.State.Pid}}' fleetpress-relay)"])
    const isBack = async () =>
      (await full().mailStatus()).items.some(each => each.serverId === serverId() && each.problem === null)
    await until('the relay is back', isBack, LIMIT_MS)
    assert.equal((await queue()).length, 1)
    assert.deepEqual(await full().mailQueueDrop({ params: { serverId: serverId(), queueId: 'ALL' } }), { dropped: 1 })
    assert.deepEqual(await queue(), [])
    assert.equal(await statusOf('dim@sink.test'), 'dropped')
  })

  void it('follows a limit, a rotated key and a deleted one without a restart', async () => {
    const started = async () =>
      (await server().exec(['docker', 'inspect', '-f', '{{.State.StartedAt}}', 'fleetpress-relay'])).stdout
    const before = await started()
    const { key } = await full().mailDkimCreate({ body: { domain: DOMAIN, rotate: true } })
    assert.equal(key.state, 'next')
    const test = { from: `panel@${DOMAIN}`, serverId: serverId() }
    const sent = await full().mailTest({ body: { ...test, to: 'three@sink.test', subject: 'Grüße' } })
    assert.ok(sent.accepted && sent.queueId, sent.detail)
    assert.doesNotMatch((await arrivedAt('three@sink.test')).text, new RegExp(`s=${key.selector};`))
    const letter = { from: { name: 'Panel', address: '' }, to: 'own@sink.test', subject: 'Grüße', text: 'A link' }
    const own = await relayOf(house.panel.world.scope(systemActor('test')), serverId()).send(letter)
    assert.ok(own.accepted, own.detail)
    assert.match((await arrivedAt('own@sink.test')).text, /^From: Panel <fleetpress@post\.example\.com>\r$/m)
    await full().mailDkimDelete({ params: { domain: DOMAIN } })
    await full().mailTest({ body: { ...test, to: 'four@sink.test' } })
    assert.doesNotMatch((await arrivedAt('four@sink.test')).text, /DKIM-Signature/i)
    await full().settingsUpdate({ body: { mailRelay: { hourlyLimit: 1 } } })
    const said = await php(`var_dump(mail("five@sink.test", "Too many", "x"));`)
    assert.match(said, /bool\(false\)/)
    assert.match(said, /451 4\.7\.1 Site first has reached its limit of 1 recipients per hour/)
    const byWordpress = await full().wpTestMail({ params: { slug: SLUG }, body: { to: 'six@sink.test' } })
    assert.match(byWordpress.detail, /has reached its limit of 1 recipients/)
    const { items } = await full().mailStatus()
    const status = items.find(each => each.serverId === serverId())
    assert.deepEqual(
      [status?.relay, status?.signer, status?.queueDepth, status?.problem],
      ['running', 'running', 0, null],
    )
    assert.equal(await started(), before)
  })
})
