import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { Problem } from '#platform/contract/problem.ts'
import { failActiveJobs } from '#platform/jobs/job-store.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { deleteGoLive } from './go-live-store.ts'
import { attemptGoLives } from './go-lives.ts'
import { replaceHostnames } from './hostname-store.ts'

const isProblem = (code: string, about: RegExp) => (error: unknown) =>
  error instanceof Problem && error.code === code && about.test(error.message)

const IDN = 'xn--bcher-kva.example'

for (const engineName of ENGINES) {
  describe(`names of a site on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    const params = { slug: 'hello' }
    const db = () => panel.foundation.database.db
    const put = (domains: string[], primary?: string) =>
      panel.as('manage').siteDomainsUpdate({ params, body: { domains, ...(primary !== undefined && { primary }) } })
    const goLive = (domains: string[], more: { keepDevAlias?: boolean; manageDns?: boolean } = {}) =>
      panel.as('manage').siteGoLive({ params, body: { domains, ...more } })
    /** The names a job would bring about; it is canceled, since nothing runs jobs here. */
    const planned = async (asked: ReturnType<typeof put>) => {
      const { job } = await asked
      const row = await db().selectFrom('job').select('input').where('id', '=', job.id).executeTakeFirstOrThrow()
      await panel.as('manage').jobCancel({ params: { id: job.id } })
      const { hostnames, domainMode } = JSON.parse(row.input) as { hostnames: string[]; domainMode: string }
      return [domainMode, ...hostnames]
    }
    const create = async (slug: string, more: object = { domainMode: 'dev' as const }) => {
      const about = { title: slug, slug, domainMode: 'dev' as const, adminUser: 'ada', adminEmail: 'ada@example.com' }
      await panel.as('manage').siteCreate({ body: { ...about, ...more } })
      await failActiveJobs(db(), 'test', 'Nothing runs jobs here.', Date.now())
    }
    before(async () => {
      panel = await testPanel({ engineName, env: { PUBLIC_URL: 'https://panel.example' } })
      await db().updateTable('server').set({ provisioned_at: 1, public_ip: '192.0.2.7' }).execute()
      await create('hello')
      await create('other', { domainMode: 'live', domains: ['taken.example', 'bücher.example'] })
      await create('waiting', { domainMode: 'live', domains: ['soon.example', 'www.soon.example'] })
      await replaceHostnames(db(), 'other', { serving: ['taken.example', IDN] })
      await deleteGoLive(db(), 'other')
      await db().updateTable('site').set({ status: 'running' }).execute()
      await db().updateTable('site').set({ domain_mode: 'live' }).where('slug', '=', 'other').execute()
    })
    after(() => panel.stop())

    it('of a new site wait for DNS while it has its dev name: no other site can take them', async () => {
      const asked = { params: { slug: 'waiting' } }
      const site = await panel.as('read-only').siteGet(asked)
      assert.deepEqual([site.domainMode, site.hostnames], ['dev', ['waiting.localhost']])
      const { goLive, serverAddresses } = await panel.as('read-only').siteDomains(asked)
      assert.deepEqual(serverAddresses, ['192.0.2.7'])
      assert.deepEqual(goLive?.hostnames, ['soon.example', 'www.soon.example'])
      const [record] = goLive?.records ?? []
      assert.deepEqual([record?.hostname, record?.type, record?.value], ['soon.example', 'A', '192.0.2.7'])
      await assert.rejects(put(['soon.example']), isProblem('conflict', /another site, waiting/))
      const attention = async () =>
        (await panel.as('read-only').overview()).attention.find(({ id }) => id === 'site-waiting:waiting')
      assert.equal((await attention())?.action?.to, '/sites/waiting/domains')
      await attemptGoLives(panel.world.scope(systemActor('test')))
      assert.match(
        (await attention())?.detail ?? '',
        /^soon\.example can't be looked up now\..* Point its A record to 192\.0\.2\.7\./,
      )
      assert.equal((await panel.as('read-only').siteGet(asked)).jobId, null, 'nothing is tried before DNS is right')
    })

    it('are told which records they need before the site is there, and never a private address', async () => {
      const check = () =>
        panel.as('manage').siteDnsCheck({ query: { serverId: 1, domains: 'new.example,a.localhost' } })
      const { serverAddresses, records } = await check()
      assert.deepEqual(serverAddresses, ['192.0.2.7'])
      assert.deepEqual(
        records.map(({ hostname, value }) => [hostname, value]),
        [['new.example', '192.0.2.7']],
      )
      await db().updateTable('server').set({ public_ip: null, ssh_host: '10.0.0.7' }).execute()
      const without = await check()
      assert.deepEqual([without.serverAddresses, without.records.map(({ value }) => value)], [[], [null]])
      await db().updateTable('server').set({ public_ip: '192.0.2.7', ssh_host: null }).execute()
    })

    it('are kept as DNS knows them, whichever way they are written', async () => {
      const { items } = await panel.as('read-only').siteDomains({ params: { slug: 'other' } })
      assert.deepEqual(
        items.map(({ hostname, unicode, primary, dev }) => [hostname, unicode, primary, dev]),
        [
          ['taken.example', 'taken.example', true, false],
          [IDN, 'bücher.example', false, false],
        ],
      )
      for (const name of ['bücher.example', 'bu\u0308cher.example', IDN])
        await assert.rejects(
          put([name]),
          isProblem('conflict', /xn--bcher-kva\.example belongs to another site, other/),
        )
      assert.deepEqual(await planned(put(['例え.example', 'straße.example'])), [
        'live',
        'xn--r8jz45g.example',
        'xn--strae-oqa.example',
      ])
    })

    it('are names that visitors can reach, each once', async () => {
      const wrong = ['A.example', 'BÜCHER.example', 'a.example.', '*.a.example', 'a b.example', 'a/b.example', 'xn--.a']
      const more = [
        '192.0.2.1',
        '0x7f.1',
        '１.２.３.４',
        'a..example',
        '-a.example',
        'a\u00ad.example',
        '💩.example',
        'xn--a',
      ]
      for (const name of [...wrong, ...more])
        await assert.rejects(
          put([name]),
          isProblem('validation_error', /^Domains, entry 1, |visitors can't reach/),
          name,
        )
      await assert.rejects(put([]), isProblem('validation_error', /^Domains must not be empty/))
      await assert.rejects(put(['shop']), isProblem('validation_error', /visitors can't reach/))
      await assert.rejects(put(['bär.example', 'xn--br-via.example']), isProblem('validation_error', /twice/))
      await assert.rejects(put(['a.example'], 'b.example'), isProblem('validation_error', /^Primary must be one of/))
    })

    it('are no one else’s: no other site’s, not the panel’s, not below a dev domain', async () => {
      await assert.rejects(put(['taken.example']), isProblem('conflict', /another site, other/))
      await assert.rejects(goLive(['panel.example']), isProblem('conflict', /panel's own address/))
      await assert.rejects(put(['third.localhost']), isProblem('conflict', /the dev domain of/))
      await assert.rejects(put(['localhost']), isProblem('conflict', /the dev domain of/))
      await assert.rejects(
        create('new', { domainMode: 'live', domains: ['x.localhost'] }),
        isProblem('conflict', /dev/),
      )
    })

    it('become the names of a job: the primary one first, live once that is not the dev name', async () => {
      assert.deepEqual(await planned(put(['a.example', 'b.example'], 'b.example')), ['live', 'b.example', 'a.example'])
      assert.deepEqual(await planned(put(['hello.localhost', 'a.example'])), ['dev', 'hello.localhost', 'a.example'])
      assert.deepEqual(await planned(goLive(['a.example'])), ['live', 'a.example'])
      assert.deepEqual(await planned(goLive(['a.example'], { keepDevAlias: true })), [
        'live',
        'a.example',
        'hello.localhost',
      ])
      await assert.rejects(goLive(['hello.localhost']), isProblem('validation_error', /other than the dev domain/))
    })

    it('take the records that the panel created with them when they go, which takes Full', async () => {
      for (const level of ['manage', 'full'] as const) {
        const { job } = await panel.as(level).siteDomainsUpdate({ params, body: { domains: ['gone.example'] } })
        const row = await db().selectFrom('job').select('input').where('id', '=', job.id).executeTakeFirstOrThrow()
        await panel.as('manage').jobCancel({ params: { id: job.id } })
        const { removeRecords = false } = JSON.parse(row.input) as { removeRecords?: boolean }
        assert.equal(removeRecords, level === 'full')
      }
    })

    it('are not held by a job that was only asked for', async () => {
      const { job } = await put(['waiting.example'])
      await assert.rejects(put(['late.example']), isProblem('job_conflict', /already has a running job/))
      await panel.as('manage').jobCancel({ params: { id: job.id } })
      const rows = await db().selectFrom('site_hostname').select('hostname').where('site_slug', '=', 'hello').execute()
      assert.deepEqual(rows, [{ hostname: 'hello.localhost' }])
    })

    it('have DNS records of the owner’s making unless the panel has a DNS token, which takes Full', async () => {
      const refused = await panel.ask('/api/sites/hello/go-live', {
        method: 'POST',
        headers: { authorization: `Bearer ${panel.token.manage}` },
        body: { domains: ['a.example'], manageDns: true },
      })
      assert.equal(refused.status, 403)
      const { error } = refused.json() as { error: { message: string; details: unknown } }
      assert.match(error.message, /Full access is required for manageDns\. This key has Manage/)
      assert.deepEqual(error.details, { needed: 'Full', held: 'Manage' })
      const asked = { params, body: { domains: ['a.example'], manageDns: true } }
      await assert.rejects(panel.as('full').siteGoLive(asked), isProblem('conflict', /no DNS token/))
    })

    it('change only while the site runs', async () => {
      await db().updateTable('site').set({ status: 'stopped' }).where('slug', '=', 'hello').execute()
      await assert.rejects(put(['a.example']), isProblem('conflict', /is stopped/))
      await assert.rejects(
        panel.as('manage').siteGoLive({ params: { slug: 'nobody' }, body: { domains: ['a.example'] } }),
        isProblem('not_found', /no site nobody/),
      )
    })

    it('are shown also when DNS does not answer', async () => {
      const { serverAddresses, items } = await panel.as('read-only').siteDomains({ params: { slug: 'other' } })
      assert.deepEqual(serverAddresses, ['192.0.2.7'])
      for (const { dns, pointsHere, certificate } of items) {
        assert.match(dns.problem ?? '', /refuses connections/)
        assert.deepEqual([dns.a, pointsHere, certificate?.status], [[], false, 'pending'])
      }
      const [own] = (await panel.as('read-only').siteDomains({ params })).items
      assert.deepEqual([own?.hostname, own?.pointsHere, own?.certificate], ['hello.localhost', true, null])
    })
  })
}
