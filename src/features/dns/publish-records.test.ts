import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { dropRecords, pointRecords, removeRecords } from '#features/sites/move/point-records.ts'
import { insertSite } from '#features/sites/site-store.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { type Knot, startKnot } from '#test/support/knot.ts'
import { type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import { planRecords, type WantedRecord } from './plan-records.ts'
import { awaitPublished, publishRecords, restoreRecords } from './publish-records.ts'

const signal = AbortSignal.timeout(120_000)
const DKIM = `v=DKIM1; k=rsa; p=${'A'.repeat(392)}`

describe('records that the panel publishes', { timeout: 120_000 }, () => {
  let knot: Knot
  let panel: TestPanel
  const log: string[] = []
  const work = { signal, say: (line: string) => void log.push(line) }
  const scope = () => panel.world.scope(systemActor('test'))
  const plan = (...wanted: WantedRecord[]) => planRecords(scope(), wanted, signal)
  const actions = (found: Awaited<ReturnType<typeof plan>>) => found.items.map(({ action }) => action)
  before(async () => {
    knot = await startKnot(['example.com'])
    panel = await testPanel({ engineName: 'sqlite', env: { DNS_SERVERS: knot.address } })
    const { db } = panel.foundation.database
    await db.updateTable('server').set({ dev_domain: 'dev.example.com', public_ip: '192.0.2.1' }).execute()
    await insertSite(db, { ...siteRow('shop'), status: 'running' }, ['shop.example.com', 'theirs.example.com'])
    await panel.as('full').dnsTokenSet({ body: { token: knot.token } })
    await knot.update('add theirs.example.com. 300 A 192.0.2.99', 'add example.com. 300 TXT "v=spf1 -all"')
  })
  after(async () => {
    await panel?.stop()
    await knot?.stop()
  })

  it('are seen by the name servers, and undone to what was there before', async () => {
    const first = await plan({ name: 'mail.example.com', type: 'A', value: '192.0.2.1' })
    assert.deepEqual(actions(first), ['create'])
    await publishRecords(scope(), first, work)
    assert.equal(await awaitPublished(scope(), first, { signal, limitMs: 30_000 }), true)
    const second = await plan({ name: 'mail.example.com', type: 'AAAA', value: '2001:db8::2' })
    assert.deepEqual(actions(second), ['create', 'remove'])
    await publishRecords(scope(), second, work)
    assert.deepEqual(
      [await knot.read('mail.example.com', 'A'), await knot.read('mail.example.com', 'AAAA')],
      [[], ['2001:db8::2']],
    )
    for (let round = 0; round < 2; round += 1) await restoreRecords(scope(), second, work)
    assert.deepEqual(
      [await knot.read('mail.example.com', 'A'), await knot.read('mail.example.com', 'AAAA')],
      [['192.0.2.1'], []],
    )
    await restoreRecords(scope(), first, work)
    assert.deepEqual(await knot.read('mail.example.com', 'A'), [])
    assert.ok(log.includes('DNS: removed mail.example.com A 192.0.2.1 (TTL 60 s)'))
  })

  it('that are texts stand next to others, replace their own kind, and leave that of others alone', async () => {
    const name = 'key._domainkey.example.com'
    const dkim = await plan({ name, type: 'TXT', value: DKIM })
    await publishRecords(scope(), dkim, work)
    assert.deepEqual(await knot.read(name, 'TXT'), [DKIM])
    const rotated = await plan({ name, type: 'TXT', value: 'v=DKIM1; p=B' })
    assert.deepEqual(actions(rotated), ['change'])
    await publishRecords(scope(), rotated, work)
    assert.deepEqual(await knot.read(name, 'TXT'), ['v=DKIM1; p=B'])
    const spf = await plan({ name: 'example.com', type: 'TXT', value: 'v=spf1 ip4:192.0.2.1 -all' })
    assert.deepEqual([actions(spf), spf.changes], [['blocked'], []])
    assert.deepEqual(actions(await plan({ name: 'example.com', type: 'TXT', value: 'some-proof=1' })), ['create'])
  })

  it('are not waited for for ever', async () => {
    const zone = { id: 'example.com', name: 'example.com' }
    const record = { name: 'never.example.com', type: 'A' as const, value: '192.0.2.1', ttlSeconds: 60 }
    const changes = [{ zone, add: [record], remove: [] }]
    assert.equal(await awaitPublished(scope(), { items: [], changes }, { signal, limitMs: 500 }), false)
  })

  it('follow a site that moves, and go with it, those of others excepted', async () => {
    const { db } = panel.foundation.database
    const context = { ...scope(), ...work } as unknown as StepContext
    assert.deepEqual(await pointRecords(context, 'shop', 1), ['shop.example.com'])
    await db.updateTable('server').set({ public_ip: '192.0.2.2' }).execute()
    assert.deepEqual(await pointRecords(context, 'shop', 1), ['shop.example.com'])
    assert.deepEqual(await knot.read('shop.example.com', 'A'), ['192.0.2.2'])
    const site = { ...siteRow('shop'), domain_mode: 'live' as const }
    await removeRecords(context, site, false)
    assert.deepEqual(await knot.read('shop.example.com', 'A'), ['192.0.2.2'])
    await removeRecords(context, site, true)
    assert.deepEqual(await knot.read('shop.example.com', 'A'), [])
    assert.deepEqual(await knot.read('theirs.example.com', 'A'), ['192.0.2.99'])
  })

  it('go with a name that a site loses, those of others and of its dev name excepted', async () => {
    const context = { ...scope(), ...work } as unknown as StepContext
    const ours = ['old.example.com', 'kept.example.com', 'shop.dev.example.com']
    const wanted = ours.map(name => ({ name, type: 'A' as const, value: '192.0.2.2' }))
    await publishRecords(scope(), await plan(...wanted), work)
    const lost = ['old.example.com', 'theirs.example.com', 'shop.dev.example.com', 'nowhere.invalid']
    for (let round = 0; round < 2; round += 1) await dropRecords(context, siteRow('shop'), lost)
    assert.deepEqual(await knot.read('old.example.com', 'A'), [])
    for (const name of ['kept.example.com', 'shop.dev.example.com'])
      assert.deepEqual(await knot.read(name, 'A'), ['192.0.2.2'])
    assert.deepEqual(await knot.read('theirs.example.com', 'A'), ['192.0.2.99'])
    assert.ok(log.includes('DNS: removed old.example.com A 192.0.2.2 (TTL 60 s)'))
  })
})
