import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { changeServer } from '#features/servers/index.ts'
import { insertSite } from '#features/sites/site-store.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import { insertKey, type KeyRow } from './dkim/key-store.ts'
import { keepCheck } from './domains/domain-store.ts'
import { noteReverseDns } from './relay/note-reverse-dns.ts'
import { changeMailServer, findMailServer } from './server-store.ts'

const DOMAIN = 'bakery.example'
const check = { verdict: 'missing' as const, message: '', current: [], resolvers: null, record: null }
const key = (selector: string, state: KeyRow['state']): KeyRow => ({
  domain: DOMAIN,
  selector,
  state,
  public_key: 'x',
  sealed_private_key: 'x',
  created_at: 1,
  retired_at: null,
})

for (const engineName of ENGINES)
  void describe(`mail on Home on ${engineName}`, { timeout: 120_000 }, () => {
    let panel: TestPanel
    const db = () => panel.foundation.database.db
    const shown = async () =>
      (await panel.as('read-only').overview()).attention.filter(({ id }) => id.startsWith('mail-'))
    const ids = async () => (await shown()).map(({ id }) => id)
    const serverHas = (part: Parameters<typeof changeMailServer>[2]) => changeMailServer(db(), 1, part)
    before(async () => {
      panel = await testPanel({ engineName })
    })
    after(() => panel.stop())

    void it('says when a queue is long or grows', async () => {
      await serverHas({ queued: 99, queued_earlier: 90 })
      assert.deepEqual(await ids(), [])
      await serverHas({ queued: 19, queued_earlier: 1 })
      assert.deepEqual(await ids(), [])
      await serverHas({ queued: 40, queued_earlier: 12 })
      const [item] = await shown()
      assert.deepEqual([item?.id, item?.detail.startsWith('40 messages wait, 12 did')], ['mail-queue:1', true])
      await serverHas({ queued: 150, queued_earlier: 140 })
      assert.match((await shown())[0]?.title ?? '', /^150 messages wait/)
      await serverHas({ queued: 0 })
    })

    void it('says when reverse DNS of a server with sites is not right, unless a provider delivers', async () => {
      await serverHas({ reverse_dns: 'missing' })
      assert.deepEqual(await ids(), [])
      await insertSite(db(), siteRow('bakery'), [DOMAIN])
      assert.deepEqual(await ids(), ['mail-reverse-dns:1'])
      await panel.as('full').settingsUpdate({ body: { mailRelay: { smarthost: 'smtp.example.com' } } })
      assert.deepEqual(await ids(), [])
      await panel.as('full').settingsUpdate({ body: { mailRelay: { smarthost: '' } } })
      await serverHas({ reverse_dns: 'ok' })
      assert.deepEqual(await ids(), [])
    })

    void it('looks reverse DNS up now and then, under a public name only', async () => {
      const scope = panel.world.scope(systemActor('test'))
      const checkedAt = async () => (await findMailServer(db(), 1)).reverse_checked_at
      await changeServer(db(), 1, { public_ip: '192.0.2.10', dev_domain: 'vps1.localhost' })
      await noteReverseDns(scope, 1)
      assert.equal(await checkedAt(), null)
      await changeServer(db(), 1, { dev_domain: 'dev.example.com' })
      const first = Date.now()
      await noteReverseDns({ ...scope, now: () => first }, 1)
      assert.equal(await checkedAt(), first)
      await noteReverseDns({ ...scope, now: () => first + 60_000 }, 1)
      assert.equal(await checkedAt(), first)
      await serverHas({ reverse_dns: 'ok' })
    })

    void it('says when a key that signs is not in DNS, not when the next one is still to come', async () => {
      await insertKey(db(), key('fp1', 'active'))
      assert.deepEqual(await ids(), [])
      const verdicts = { spf: check, dkim: check, dmarc: check, checkedAt: 1 }
      await keepCheck(db(), { domain: DOMAIN, siteSlugs: [], serverIds: [], ...verdicts })
      const [item] = await shown()
      assert.deepEqual([item?.id, item?.action?.to], [`mail-dkim:${DOMAIN}`, `/mail/domains?domain=${DOMAIN}`])
      await insertKey(db(), key('fp2', 'next'))
      assert.deepEqual(await ids(), [])
    })
  })
