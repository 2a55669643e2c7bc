import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { changeServer } from '#features/servers/index.ts'
import { insertSite } from '#features/sites/site-store.ts'
import { type Knot, startKnot } from '#test/support/knot.ts'
import { type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import { tidyMail } from '../housekeeping.ts'

const DOMAIN = 'bakery.example'
const params = { domain: DOMAIN }
const DAY_MS = 86_400_000

void describe('publishing the records of a domain', { timeout: 120_000 }, () => {
  let panel: TestPanel
  let knot: Knot
  const full = () => panel.as('full')
  const keys = async () => (await full().mailDkimList()).items.map(({ state }) => state)
  before(async () => {
    knot = await startKnot([DOMAIN])
    const spf = `add ${DOMAIN}. 300 TXT "v=spf1 ip4:198.51.100.0/24 -all"`
    await knot.update(`add ${DOMAIN}. 300 TXT "other=1"`, spf)
    panel = await testPanel({ env: { DNS_SERVERS: knot.address } })
    const { db } = panel.foundation.database
    await insertSite(db, siteRow('bakery'), [DOMAIN])
    await changeServer(db, 1, { public_ip: '192.0.2.10' })
    await full().dnsTokenSet({ body: { token: knot.token } })
  })
  after(async () => {
    await panel?.stop()
    await knot?.stop()
  })

  void it('merges SPF into the one record, publishes DKIM and leaves DMARC alone', async () => {
    const { published, left, domain } = await full().mailDomainPublish({ params })
    assert.equal(published.length, 2)
    const texts = (await knot.read(DOMAIN, 'TXT')).toSorted()
    assert.deepEqual(texts, ['other=1', 'v=spf1 ip4:192.0.2.10 ip4:198.51.100.0/24 -all'])
    assert.deepEqual([domain.spf.verdict, domain.dkim.verdict, domain.dmarc.verdict], ['ok', 'ok', 'missing'])
    assert.deepEqual(
      left.map(({ record }) => record),
      ['DMARC'],
    )
    assert.deepEqual(await knot.read(`_dmarc.${DOMAIN}`, 'TXT'), [])
    const again = await full().mailDomainPublish({ params })
    assert.deepEqual(again.published, [])
    assert.equal((await full().mailSetup()).domains[0]?.records.length, 1)
  })

  void it('a next key signs once its record is there, and the one before stays for a week', async () => {
    await full().mailDkimCreate({ body: { ...params, rotate: true } })
    assert.equal((await full().mailDomainCheck({ params })).domain.dkim.verdict, 'missing')
    assert.deepEqual(await keys(), ['active', 'next'])
    await full().mailDomainPublish({ params })
    assert.deepEqual(await keys(), ['active', 'retired'])
    const scope = panel.world.scope(systemActor('test'))
    await tidyMail({ ...scope, now: () => Date.now() + 6 * DAY_MS })
    assert.deepEqual(await keys(), ['active', 'retired'])
    await tidyMail({ ...scope, now: () => Date.now() + 8 * DAY_MS })
    assert.deepEqual(await keys(), ['active'])
  })

  void it('says on Home when the record of a key is no longer there', async () => {
    const { items } = await full().mailDkimList()
    await knot.update(...items.map(({ record }) => `delete ${record.name}. TXT`))
    await full().mailDomainCheck({ params })
    const { attention } = await full().overview()
    assert.ok(attention.some(({ id }) => id === `mail-dkim:${DOMAIN}`))
  })
})
