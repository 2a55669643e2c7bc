import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { verifiedCrawler } from './crawlers.ts'
import { lineReader } from './detector.ts'
import { Suspects } from './suspects.ts'

for (const engineName of ENGINES)
  describe(`detection on ${engineName}`, { timeout: 120_000 }, () => {
    let panel: TestPanel
    before(async () => {
      panel = await testPanel({ engineName })
    })
    after(() => panel.stop())

    const set = (detection: Record<string, unknown>) => panel.as('full').settingsUpdate({ body: { detection } })
    const detection = () => panel.as('full').securityDetectionGet()
    const active = async () => (await panel.as('full').securityBlockList({ query: {} })).items
    /** As if an edge had logged these; each time a new reader. */
    const guess = async (address: string, times: number) => {
      const read = lineReader(panel.world.scope(systemActor('blocks')), new Suspects(), 1)
      for (let index = 0; index < times; index += 1) {
        const time = `${Math.floor(Date.now() / 1000) + 1}.000`
        const request = { method: 'POST', uri: '/wp-login.php?x=secret', status: '200', userAgent: '<b>curl</b>' }
        await read(JSON.stringify({ time, site: 'bakery', address, blockedBy: '', ...request }))
      }
    }

    it('only watches, and says what it would have done', async () => {
      await set({ mode: 'watch', failedLogins: 3 })
      await guess('203.0.113.7', 9)
      assert.deepEqual(await active(), [])
      const { decisions } = await detection()
      assert.equal(decisions.length, 1, 'one decision, however often')
      const [decision] = decisions
      assert.deepEqual(
        [decision?.address, decision?.reason, decision?.outcome, decision?.count, decision?.sites, decision?.blockId],
        ['203.0.113.7', 'failed-logins', 'watched', 3, ['bakery'], null],
      )
      assert.match(decision?.why ?? '', /^3 failed logins within 10 minutes\./)
      assert.deepEqual(
        decision?.requests?.map(({ method, path, status }) => [method, path, status]),
        Array.from({ length: 3 }, () => ['POST', '/wp-login.php', 200]),
      )
      assert.equal((await panel.as('read-only').securityDetectionGet()).decisions[0]?.requests, null)
    })

    it('blocks, longer for those who come back, unless a person lifted it', async () => {
      await set({ mode: 'block', failedLogins: 3, blockMinutes: 10, longestMinutes: 100 })
      const { db } = panel.foundation.database
      const expire = () =>
        db
          .updateTable('address_block')
          .set({ expires_at: Date.now() - 1 })
          .where('lifted_at', 'is', null)
          .execute()
      const minutes: number[] = []
      for (const isLifted of [true, false, false, false]) {
        await guess('2001:db8:1:2::7', 3)
        const [block, ...more] = await active()
        assert.deepEqual([block?.address, block?.source, more], ['2001:db8:1:2::/64', 'detection', []])
        minutes.push(((block?.expiresAt ?? 0) - (block?.createdAt ?? 0)) / 60_000)
        if (isLifted) await panel.as('full').securityBlockLift({ params: { id: block?.id ?? '' } })
        else await expire()
      }
      assert.deepEqual(minutes, [10, 10, 40, 100])
      const { decisions } = await detection()
      assert.deepEqual([decisions[0]?.outcome, decisions[0]?.blockId === null], ['blocked', false])
    })

    it('does not decide again about what is blocked', async () => {
      const before = (await detection()).decisions.length
      await panel.as('full').securityBlockCreate({ body: { address: '198.51.100.0/24' } })
      await guess('198.51.100.9', 3)
      assert.equal((await detection()).decisions.length, before)
    })

    it('spares what is never blocked, and says why', async () => {
      await panel.as('full').securityNeverBlockCreate({ body: { address: '203.0.113.64/27', note: 'Our office' } })
      await guess('203.0.113.70', 3)
      const [decision] = (await detection()).decisions
      assert.deepEqual(
        [decision?.outcome, decision?.why],
        ['spared', '203.0.113.64/27 is on the never-block list (Our office).'],
      )
    })

    it('does nothing when it is off', async () => {
      await set({ mode: 'off' })
      const before = (await detection()).decisions.length
      await guess('203.0.113.99', 9)
      assert.equal((await detection()).decisions.length, before)
    })
  })

/** Knows the name of one address, and the address of one name. */
const crawlerDns = async (names: Record<string, string>): Promise<Socket> => {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    const labels: string[] = []
    let at = 12
    for (; question[at]; at += (question[at] ?? 0) + 1)
      labels.push(question.toString('latin1', at + 1, at + 1 + (question[at] ?? 0)))
    const answer = names[labels.join('.')]
    const head = Buffer.from(question.subarray(0, 12))
    head.writeUInt16BE(answer === undefined ? 0x81_83 : 0x81_80, 2)
    head.writeUInt16BE(answer === undefined ? 0 : 1, 6)
    head.fill(0, 8)
    const isName = question.readUInt16BE(at + 1) === 12
    const data = isName
      ? Buffer.concat([
          ...(answer ?? '').split('.').map(label => Buffer.from([label.length, ...Buffer.from(label)])),
          Buffer.from([0]),
        ])
      : Buffer.from((answer ?? '').split('.').map(Number))
    const record = Buffer.from([0xc0, 12, 0, isName ? 12 : 1, 0, 1, 0, 0, 0, 1, 0, data.length, ...data])
    const asked = question.subarray(12, at + 5)
    socket.send(Buffer.concat([head, asked, ...(answer === undefined ? [] : [record])]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket
}

describe('crawlers', { timeout: 60_000 }, () => {
  it('are spared only when their name resolves forth and back', async () => {
    const socket = await crawlerDns({
      '1.66.249.66.in-addr.arpa': 'crawl-66-249-66-1.googlebot.com',
      'crawl-66-249-66-1.googlebot.com': '66.249.66.1',
      '9.113.0.203.in-addr.arpa': 'crawl-66-249-66-1.googlebot.com',
      '8.113.0.203.in-addr.arpa': 'googlebot.com.attacker.example',
      'googlebot.com.attacker.example': '203.0.113.8',
    })
    const servers = [`127.0.0.1:${socket.address().port}`]
    const google = 'Mozilla/5.0 (compatible; Googlebot/2.1)'
    const verify = (address: string, userAgent = google) => verifiedCrawler({ address, userAgent }, servers)
    assert.equal(await verify('66.249.66.1'), 'crawl-66-249-66-1.googlebot.com')
    assert.equal(await verify('203.0.113.9'), undefined, 'a name that does not lead back')
    assert.equal(await verify('203.0.113.8'), undefined, 'a name of others')
    assert.equal(await verify('203.0.113.7'), undefined, 'no name at all')
    assert.equal(await verify('66.249.66.1', 'curl'), undefined)
    socket.close()
  })
})
