import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { hasMailServer, sendLetter } from '#features/panel/index.ts'
import { changeServer } from '#features/servers/index.ts'
import { events } from '#platform/events/events.ts'
import { letterFiles } from '#test/support/outbox.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { startSmtp } from '#test/support/smtp.ts'
import { ownRelay, relayOf } from './own-relay.ts'

for (const engineName of ENGINES)
  void describe(`how the panel's own mail leaves on ${engineName}`, { timeout: 120_000 }, () => {
    let panel: TestPanel
    const full = () => panel.as('full')
    const scope = () => panel.world.scope(systemActor('test'))
    const hasRelay = async () => (await ownRelay(scope())) !== undefined
    const serverIs = (part: Parameters<typeof changeServer>[2]) => changeServer(panel.foundation.database.db, 1, part)
    before(async () => {
      panel = await testPanel({ engineName })
      await full().settingsUpdate({ body: { mail: { notifyAddress: 'ops@example.com' } } })
    })
    after(() => panel.stop())

    void it('is a file where the server has no relay, or one whose name no one knows', async () => {
      await serverIs({ dev_domain: 'dev.example.com' })
      assert.equal(await hasRelay(), false)
      await serverIs({ status: 'ready', dev_domain: 'vps1.localhost' })
      assert.equal(await hasRelay(), false)
      const { accepted, detail } = await full().settingsTestEmail()
      assert.equal(accepted, true)
      assert.match(detail, /has no relay\. The email is in/)
      assert.equal(letterFiles(panel).length, 1)
    })

    void it('is the relay of the server with a public name, or of one that sends through a provider', async () => {
      await serverIs({ status: 'new' })
      await full().settingsUpdate({ body: { mailRelay: { smarthost: 'smtp.example.com' } } })
      assert.equal(await hasRelay(), false)
      await serverIs({ status: 'ready' })
      assert.equal(await hasRelay(), true)
      await serverIs({ status: 'new', dev_domain: 'dev.example.com' })
      await full().settingsUpdate({ body: { mailRelay: { smarthost: '' } } })
      await serverIs({ status: 'ready' })
      assert.equal(await hasRelay(), true)
    })

    void it('reaches the relay with the sender that is set, and no file', async () => {
      const sent: unknown[] = []
      const send = async (letter: object) => {
        sent.push(letter)
        return { accepted: true, detail: 'taken' }
      }
      const on = { ...scope(), events: events([{ ownRelay: async () => ({ send }) }]) }
      assert.equal(await hasMailServer(on), true)
      const letter = { to: 'ann@example.com', subject: 'Hello', text: 'There' }
      assert.deepEqual(await sendLetter(on, letter), { accepted: true, detail: 'taken' })
      assert.deepEqual(sent, [{ ...letter, from: { name: 'Fleetpress', address: '' } }])
      assert.equal(letterFiles(panel).length, 1)
    })

    void it('says why a relay did not take it', async () => {
      const from = { name: 'Fleetpress', address: '' }
      const { accepted, detail } = await relayOf(scope(), 99).send({ from, to: 'a@x.test', subject: 'x', text: 'x' })
      assert.equal(accepted, false)
      assert.match(detail, /^The email was not sent\. \w/)
    })

    void it('is the SMTP server where one is set', async () => {
      const server = await startSmtp({})
      try {
        const mail = { host: '127.0.0.1', port: server.port, security: 'none' } as const
        await full().settingsUpdate({ body: { mail } })
        assert.equal((await full().settingsTestEmail()).accepted, true)
        assert.deepEqual(server.arrived[0]?.to, ['ops@example.com'])
      } finally {
        await server.stop()
      }
    })
  })
