import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Problem } from '#platform/contract/problem.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'

const isProblem = (code: string, about: RegExp) => (error: unknown) =>
  error instanceof Problem && error.code === code && about.test(error.message)

const asked = {
  title: 'Hello',
  slug: 'hello',
  domainMode: 'dev' as const,
  adminUser: 'ada',
  adminEmail: 'ada@example.com',
}

for (const engineName of ENGINES) {
  describe(`sites on ${engineName}`, { timeout: 60_000 }, () => {
    let panel: TestPanel
    const manage = () => panel.as('manage')
    const create = (part: Partial<Parameters<ReturnType<typeof manage>['siteCreate']>[0]['body']> = {}) =>
      manage().siteCreate({ body: { ...asked, ...part } })
    before(async () => {
      panel = await testPanel({ engineName })
    })
    after(() => panel.stop())

    it('need a server that is set up', async () => {
      await assert.rejects(create(), isProblem('conflict', /not set up yet/))
      await assert.rejects(create({ serverId: 9 }), isProblem('not_found', /no server 9/))
      const { servers, phpVersions } = await manage().siteOptions()
      assert.deepEqual(
        servers.map(({ id, ready, sites }) => [id, ready, sites]),
        [[1, false, 0]],
      )
      assert.deepEqual(phpVersions.find(php => php.default)?.version, '8.4')
      // Nothing runs the jobs here, so it is enough that the panel believes it.
      await panel.foundation.database.db.updateTable('server').set({ provisioned_at: 1 }).execute()
    })

    it('are kept with their name and their job, or not at all', async () => {
      const { job } = await create()
      assert.equal(job.siteSlug, 'hello')
      const site = await manage().siteGet({ params: { slug: 'hello' } })
      assert.deepEqual([site.status, site.url, site.jobId], ['creating', 'http://hello.localhost', job.id])
      await assert.rejects(create(), isProblem('conflict', /already/))
      await assert.rejects(
        create({ slug: 'other', domainMode: 'live', domains: ['hello.localhost'] }),
        isProblem('conflict', /another site/),
      )
      assert.deepEqual(
        (await manage().siteList({ query: {} })).items.map(({ slug }) => slug),
        ['hello'],
      )
      assert.equal((await panel.as('full').serverGet({ params: { id: 1 } })).sites, 1)
    })

    it('take one job at a time', async () => {
      await assert.rejects(manage().siteStart({ params: { slug: 'hello' } }), isProblem('conflict', /is creating/))
      await panel.foundation.database.db.updateTable('site').set({ status: 'running' }).execute()
      await assert.rejects(
        manage().siteStop({ params: { slug: 'hello' } }),
        isProblem('job_conflict', /already has a job/),
      )
      assert.deepEqual((await panel.as('full').siteReconcileAll({ body: {} })).jobs, [], 'it is left out')
    })

    it('have names that visitors can reach and nobody else has', async () => {
      const live = (domains: string[]) => create({ slug: 'live', domainMode: 'live', domains })
      await assert.rejects(live([]), isProblem('validation_error', /at least one/))
      await assert.rejects(live(['a.example', 'a.example']), isProblem('validation_error', /twice/))
      await assert.rejects(live(['localhost']), isProblem('conflict', /the panel itself/))
      await assert.rejects(live(['example']), isProblem('validation_error', /no visitor/))
      for (const name of [
        '*.example.com',
        '192.0.2.1',
        'A.example',
        'a.example.',
        'a b.example',
        'xn--.',
        '-a.example',
      ])
        await assert.rejects(live([name]), isProblem('validation_error', /domains/), name)
      await assert.rejects(
        create({ slug: 'dev', domains: ['a.example'] }),
        isProblem('validation_error', /domainMode live/),
      )
    })

    it('are found by what a person remembers', async () => {
      await manage().siteUpdate({
        params: { slug: 'hello' },
        body: { title: 'Ada’s 100% shop', labels: ['vip', 'vip'], notes: 'two\nlines' },
      })
      const found = async (query: Parameters<ReturnType<typeof manage>['siteList']>[0]) =>
        (await manage().siteList(query)).items.map(({ slug }) => slug)
      for (const query of [
        { q: '100%' },
        { q: 'HELLO.local' },
        { label: 'vip' },
        { serverId: 1 },
        { status: 'running' as const },
      ])
        assert.deepEqual(await found({ query }), ['hello'], JSON.stringify(query))
      for (const query of [{ q: '100_' }, { label: 'vi' }, { serverId: 2 }, { status: 'stopped' as const }])
        assert.deepEqual(await found({ query }), [], JSON.stringify(query))
      const site = await manage().siteGet({ params: { slug: 'hello' } })
      assert.deepEqual([site.labels, site.notes], [['vip'], 'two\nlines'])
    })

    it('cannot be backed up before their end as long as there are no backups', async () => {
      const asked = { params: { slug: 'hello' }, query: { finalBackup: 'true' as const } }
      await assert.rejects(panel.as('full').siteDelete(asked), isProblem('conflict', /cannot take backups/))
    })
  })
}
