import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { type FaultyNameServer, startFaultyNameServer } from '#test/support/faulty-name-server.ts'
import { type Knot, startKnot } from '#test/support/knot.ts'
import { type TestPanel, testPanel } from '#test/support/panel.ts'
import { dnsChallenge } from './challenge.ts'

const NAME = 'dev.example.com'
const TRIES = 3

describe('records that prove a name', { timeout: 120_000 }, () => {
  let knot: Knot
  let service: FaultyNameServer
  let panel: TestPanel
  const begin = async (signal = AbortSignal.timeout(60_000)) =>
    (await dnsChallenge(panel.world.scope(systemActor('test')), signal)) ?? assert.fail('no challenge')
  const held = () => knot.read(`_acme-challenge.${NAME}`, 'TXT')
  const markers = () => knot.read(`_fleetpress._acme-challenge.${NAME}`, 'TXT')
  before(async () => {
    knot = await startKnot(['example.com'])
    service = await startFaultyNameServer(Number(knot.address.split(':')[1]), 0)
    panel = await testPanel({ env: { DNS_SERVERS: knot.address } })
    await panel.foundation.database.db.updateTable('server').set({ dev_domain: NAME }).execute()
    await panel.as('full').dnsTokenSet({ body: { token: knot.token.replace(/:\d+/, `:${service.port}`) } })
    await knot.update(`add _acme-challenge.${NAME}. 300 TXT "of someone else"`)
  })
  after(async () => {
    await panel?.stop()
    await service?.stop()
    await knot?.stop()
  })

  it('stand next to each other and to those of others, and go', async () => {
    const challenge = await begin()
    for (const value of ['first', 'second']) await challenge.publish(NAME, value)
    assert.deepEqual(await held(), ['first', 'of someone else', 'second'])
    for (const value of ['first', 'second', 'never']) await challenge.unpublish(NAME, value)
    assert.deepEqual([await held(), await markers()], [['of someone else'], []])
  })

  it('go when the attempt was canceled', async () => {
    const canceled = new AbortController()
    const challenge = await begin(canceled.signal)
    await challenge.publish(NAME, 'canceled')
    canceled.abort()
    await challenge.unpublish(NAME, 'canceled')
    assert.deepEqual([await held(), await markers()], [['of someone else'], []])
  })

  it('that could not be removed go with the next attempt', async () => {
    const challenge = await begin()
    await challenge.publish(NAME, 'stays')
    service.faults.push(...Array.from({ length: TRIES }, () => ({ of: 'query' as const, kind: 'failed' as const })))
    await challenge.unpublish(NAME, 'stays')
    assert.deepEqual(await held(), ['of someone else', 'stays'])
    const next = await begin()
    await next.publish(NAME, 'next')
    assert.deepEqual(await held(), ['next', 'of someone else'])
    await next.unpublish(NAME, 'next')
    assert.deepEqual([await held(), await markers()], [['of someone else'], []])
  })
})
