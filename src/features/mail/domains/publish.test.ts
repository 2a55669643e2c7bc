import assert from 'node:assert/strict'
import type { Socket } from 'node:dgram'
import { after, before, describe, it } from 'node:test'
import { features } from '#app/features.ts'
import { systemActor } from '#app/world.ts'
import { changeServer } from '#features/servers/index.ts'
import { insertSite } from '#features/sites/site-store.ts'
import { Problem } from '#platform/contract/problem.ts'
import { defineFeature } from '#platform/feature.ts'
import { type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import { textServer } from '#test/support/text-server.ts'
import { tidyMail } from '../housekeeping.ts'

const DOMAIN = 'bakery.example'
const params = { domain: DOMAIN }
const DAY_MS = 86_400_000

/** Changes the zone as a provider does: a record takes the place of one, or stands next to the others. */
const providerOf = (zone: Map<string, string[]>) =>
  defineFeature({
    name: 'test-dns',
    uses: ['mail'],
    contract: {},
    routes: {},
    hooks: {
      canPublishRecords: async (_, { name }) => name.endsWith(DOMAIN),
      publishRecords: async (_, { records }) => {
        for (const { name, content, replaces } of records) {
          const kept = (zone.get(name) ?? []).filter(text => text !== replaces)
          if (kept.includes(content)) throw new Problem('conflict', 'This record is there already.')
          zone.set(name, [...kept, content])
        }
      },
    },
  })

void describe('publishing the records of a domain', { timeout: 120_000 }, () => {
  const zone = new Map([[DOMAIN, ['other=1', 'v=spf1 ip4:198.51.100.0/24 -all']]])
  let panel: TestPanel
  let dns: Socket
  const full = () => panel.as('full')
  const keys = async () => (await full().mailDkimList()).items.map(({ state }) => state)
  before(async () => {
    dns = await textServer(zone)
    const env = { DNS_SERVERS: `127.0.0.1:${dns.address().port}` }
    panel = await testPanel({ env, features: [...features, providerOf(zone)] })
    const { db } = panel.foundation.database
    await insertSite(db, siteRow('bakery'), [DOMAIN])
    await changeServer(db, 1, { public_ip: '192.0.2.10' })
  })
  after(async () => {
    await panel.stop()
    dns.close()
  })

  void it('merges SPF into the one record, publishes DKIM and leaves DMARC alone', async () => {
    const { published, left, domain } = await full().mailDomainPublish({ params, body: {} })
    assert.equal(published.length, 2)
    assert.deepEqual(zone.get(DOMAIN), ['other=1', 'v=spf1 ip4:192.0.2.10 ip4:198.51.100.0/24 -all'])
    assert.deepEqual([domain.spf.verdict, domain.dkim.verdict, domain.dmarc.verdict], ['ok', 'ok', 'missing'])
    assert.deepEqual(
      left.map(({ record }) => record),
      ['DMARC'],
    )
    assert.ok(!zone.has(`_dmarc.${DOMAIN}`))
    const again = await full().mailDomainPublish({ params, body: {} })
    assert.deepEqual(again.published, [])
    assert.equal((await full().mailSetup()).domains[0]?.records.length, 1)
  })

  void it('a next key signs once its record is there, and the one before stays for a week', async () => {
    await full().mailDkimCreate({ body: { ...params, rotate: true } })
    assert.equal((await full().mailDomainCheck({ params, body: {} })).domain.dkim.verdict, 'missing')
    assert.deepEqual(await keys(), ['active', 'next'])
    await full().mailDomainPublish({ params, body: {} })
    assert.deepEqual(await keys(), ['active', 'retired'])
    const scope = panel.world.scope(systemActor('test'))
    await tidyMail({ ...scope, now: () => Date.now() + 6 * DAY_MS })
    assert.deepEqual(await keys(), ['active', 'retired'])
    await tidyMail({ ...scope, now: () => Date.now() + 8 * DAY_MS })
    assert.deepEqual(await keys(), ['active'])
  })

  void it('says on Home when the record of a key is no longer there', async () => {
    for (const name of zone.keys()) if (name.includes('_domainkey')) zone.delete(name)
    await full().mailDomainCheck({ params, body: {} })
    const { attention } = await full().overview()
    assert.ok(attention.some(({ id }) => id === `mail-dkim:${DOMAIN}`))
  })
})
