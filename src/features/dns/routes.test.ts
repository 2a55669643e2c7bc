import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { changeCertificate, findCertificate, insertCertificate } from '#features/certificates/certificate-store.ts'
import { newCertificateRow } from '#features/certificates/obtain-certificate.ts'
import { insertSite } from '#features/sites/site-store.ts'
import { type Knot, startKnot } from '#test/support/knot.ts'
import { dumpTables } from '#test/support/outbox.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'

const WILDCARD = '*.dev.example.com'

for (const engineName of ENGINES)
  describe(`DNS on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let knot: Knot
    const db = () => panel.foundation.database.db
    const api = () => panel.as('full')
    const id = { params: { id: 1 } }
    const setDevDomain = (dev_domain: string) => db().updateTable('server').set({ dev_domain }).execute()
    const wildcard = (on: boolean) => api().dnsWildcardSet({ ...id, body: { on } })
    const endJobs = () => db().deleteFrom('job').execute()
    before(async () => {
      knot = await startKnot(['example.com'])
      panel = await testPanel({ engineName, env: { DNS_SERVERS: knot.address } })
      await setDevDomain('dev.example.com')
      const hostnames = {
        bakery: ['bakery.dev.example.com'],
        shop: ['shop.dev.example.com'],
        live: ['www.example.com'],
      }
      for (const [at, [slug, names]] of Object.entries(hostnames).entries())
        await insertSite(db(), { ...siteRow(slug, at), status: 'running' }, names)
    })
    after(async () => {
      await panel?.stop()
      await knot?.stop()
    })

    it('has no token at first, and everything that needs one says so', async () => {
      const state = await panel.as('read-only').dnsGet()
      assert.deepEqual(state.token, { configured: false, setAt: null, envDiffers: false })
      assert.deepEqual([state.provider, state.wildcardServerId, state.servers.length], [null, null, 1])
      const { ok, error } = await api().dnsCheck({ body: {} })
      assert.deepEqual([ok, error], [false, 'There is no DNS token.'])
      await assert.rejects(wildcard(true), { code: 'conflict', message: /no DNS token/ })
      const query = { serverId: 1, domains: 'a.example.com' }
      assert.equal((await panel.as('manage').siteDnsCheck({ query })).plan, null)
    })

    it('checks a token without saving it: zones, rights, dev domains', async () => {
      const check = await api().dnsCheck({ body: { token: knot.token } })
      const devDomain = { serverId: 1, devDomain: 'dev.example.com', zone: 'example.com', covered: true, problem: null }
      assert.deepEqual(check, {
        ok: true,
        error: null,
        zones: [{ name: 'example.com', editable: true }],
        zoneCount: 1,
        devDomains: [devDomain],
      })
      const reading = await api().dnsCheck({ body: { token: knot.readingToken } })
      assert.deepEqual([reading.ok, reading.zones[0]?.editable, reading.devDomains[0]?.covered], [false, false, false])
      assert.match(reading.error ?? '', /can't change the records of example\.com/)
      const wrongKey = knot.token.replace(/\S+$/, randomBytes(32).toString('base64'))
      assert.match((await api().dnsCheck({ body: { token: wrongKey } })).error ?? '', /so the key is wrong/)
      assert.match(
        (await api().dnsCheck({ body: { token: 'no token' } })).error ?? '',
        /must be a Cloudflare API token/,
      )
      assert.equal((await api().dnsGet()).token.configured, false)
    })

    it('refuses a token that the provider refuses, and keeps nothing of it', async () => {
      await assert.rejects(api().dnsTokenSet({ body: { token: 'no token' } }), { code: 'validation_error' })
      await assert.rejects(api().dnsTokenSet({ body: { token: knot.readingToken } }), {
        code: 'conflict',
        message: /was not saved.*can't change/,
      })
      const nowhere = knot.token.replace(/^\S+/, '127.0.0.1:1')
      await assert.rejects(api().dnsTokenSet({ body: { token: nowhere } }), { code: 'bad_gateway' })
      for (const token of ['', 'two\nlines', ' x', 'ü'.repeat(40)])
        await assert.rejects(api().dnsTokenSet({ body: { token } }), { code: 'validation_error' })
      assert.deepEqual(await db().selectFrom('dns_token').selectAll().execute(), [])
    })

    it('saves one that is accepted, sealed, and shows it to no one', async () => {
      const { token, provider, check } = await api().dnsTokenSet({ body: { token: knot.token } })
      assert.deepEqual([token.configured, provider, check.ok], [true, 'rfc2136', true])
      assert.ok(Math.abs((token.setAt ?? 0) - Date.now()) < 60_000)
      const key = knot.token.split(' ')[3] ?? assert.fail()
      assert.ok(!(await dumpTables(panel)).includes(key))
      assert.ok(!JSON.stringify([await api().dnsGet(), await api().dnsCheck({ body: {} })]).includes(key))
      assert.equal((await api().dnsCheck({ body: {} })).ok, true)
    })

    it('shows what would change in DNS: own records, those of others, and names it does not reach', async () => {
      await db().updateTable('server').set({ public_ip: '192.0.2.7' }).execute()
      await knot.update('add theirs.example.com. 300 A 192.0.2.1', 'add right.example.com. 300 A 192.0.2.7')
      await knot.update(
        'add alias.example.com. 300 CNAME right.example.com.',
        'add far.example.com. 300 CNAME x.invalid.',
      )
      const domains = ['new', 'theirs', 'right', 'alias', 'far'].map(name => `${name}.example.com`)
      const query = { serverId: 1, domains: [...domains, 'shop.invalid'].join() }
      const { plan } = await panel.as('manage').siteDnsCheck({ query })
      assert.deepEqual(
        plan?.items.map(({ name, type, value, action, before }) => [name, type, value, action, before]),
        [
          ['new.example.com', 'A', '192.0.2.7', 'create', []],
          ['theirs.example.com', 'A', '192.0.2.7', 'blocked', ['192.0.2.1']],
          ['right.example.com', 'A', '192.0.2.7', 'keep', ['192.0.2.7']],
          ['alias.example.com', 'A', '192.0.2.7', 'keep', ['right.example.com']],
          ['far.example.com', 'A', '192.0.2.7', 'blocked', ['x.invalid']],
          ['shop.invalid', 'A', '192.0.2.7', 'blocked', []],
        ],
      )
      assert.match(plan?.items[1]?.reason ?? '', /the panel did not create/)
      assert.deepEqual(await knot.read('new.example.com', 'A'), [])
    })

    it('gives the dev sites of a server one certificate, each in a job of its own, and names those that are busy', async () => {
      await panel.as('full').siteReconcile({ params: { slug: 'shop' } })
      const { rebuilding, busy, wildcardServerId, servers } = await wildcard(true)
      assert.deepEqual([rebuilding.map(({ slug }) => slug), busy, wildcardServerId], [['bakery'], ['shop'], 1])
      assert.equal(servers[0]?.wildcard, true)
      const [{ jobId } = assert.fail()] = rebuilding
      assert.equal((await api().jobGet({ params: { id: jobId } })).job.type, 'site.reconcile')
      assert.equal((await findCertificate(db(), 1, JSON.stringify([WILDCARD])))?.status, 'pending')
    })

    it('rebuilds only what has the wrong certificate', async () => {
      await endJobs()
      const row = (await findCertificate(db(), 1, JSON.stringify([WILDCARD]))) ?? assert.fail()
      await changeCertificate(db(), row.id, { serial: '01', status: 'valid' })
      const own = { ...newCertificateRow(1, '["shop.dev.example.com"]', Date.now()), serial: '02' }
      await insertCertificate(db(), own)
      assert.deepEqual(
        (await wildcard(true)).rebuilding.map(({ slug }) => slug),
        ['shop'],
      )
      await endJobs()
      assert.deepEqual(
        (await wildcard(false)).rebuilding.map(({ slug }) => slug),
        ['bakery'],
      )
      assert.equal((await api().dnsGet()).wildcardServerId, null)
      await endJobs()
    })

    it('refuses a wildcard that the token does not reach', async () => {
      await setDevDomain('dev.elsewhere.example')
      await assert.rejects(wildcard(true), { code: 'conflict', message: /reaches no zone of dev\.elsewhere\.example/ })
      await setDevDomain('localhost')
      await assert.rejects(wildcard(true), { code: 'conflict', message: /in no public DNS/ })
      await setDevDomain('dev.example.com')
      await assert.rejects(api().dnsWildcardSet({ params: { id: 77 }, body: { on: true } }), { code: 'not_found' })
      assert.deepEqual(await db().selectFrom('dns_wildcard').selectAll().execute(), [])
    })

    it('is removed with its wildcards, and those who shared one get their own', async () => {
      await db().deleteFrom('certificate').where('names', '=', '["shop.dev.example.com"]').execute()
      await wildcard(true)
      await endJobs()
      const { token, provider, rebuilding, wildcardServerId } = await api().dnsTokenDelete()
      assert.deepEqual([token.configured, provider, wildcardServerId], [false, null, null])
      assert.deepEqual(rebuilding.map(({ slug }) => slug).toSorted(), ['bakery', 'shop'])
      assert.deepEqual(await db().selectFrom('dns_token').selectAll().execute(), [])
    })
  })

describe('DNS with a token in the environment', { timeout: 120_000 }, () => {
  it('uses it while none is stored, and says when they differ', async () => {
    const knot = await startKnot(['example.com'])
    const panel = await testPanel({ engineName: 'sqlite', env: { DNS_TOKEN: knot.token } })
    try {
      await panel.foundation.database.db.updateTable('server').set({ dev_domain: 'dev.example.com' }).execute()
      const { token, provider } = await panel.as('read-only').dnsGet()
      assert.deepEqual([token, provider], [{ configured: true, setAt: null, envDiffers: false }, 'rfc2136'])
      assert.equal((await panel.as('full').dnsCheck({ body: {} })).ok, true)
      await assert.rejects(panel.as('full').dnsTokenDelete(), { code: 'conflict', message: /DNS_TOKEN/ })
      const other = knot.token.replace('127.0.0.1', 'localhost')
      const saved = await panel.as('full').dnsTokenSet({ body: { token: other } })
      assert.equal(saved.token.envDiffers, true)
    } finally {
      await panel.stop()
      await knot.stop()
    }
  })
})
