import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Problem } from '#platform/contract/problem.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import { deleteSite, findSite, insertSite } from './site-store.ts'

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
  describe(`sites on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    const manage = () => panel.as('manage')
    const create = (part: Partial<Parameters<ReturnType<typeof manage>['siteCreate']>[0]['body']> = {}) =>
      manage().siteCreate({ body: { ...asked, ...part } })
    before(async () => {
      panel = await testPanel({ engineName })
    })
    after(() => panel.stop())

    it('insertSite says what is taken: the short name, or a number that another creation was given just now', async () => {
      const { db } = panel.foundation.database
      await insertSite(db, siteRow('taken', 900), ['taken.localhost'])
      const again = (slug: string, number: number) => insertSite(db, siteRow(slug, number), [`${slug}.localhost`])
      await assert.rejects(again('taken', 901), isProblem('conflict', /A site named taken already exists/))
      await assert.rejects(again('other', 900), isProblem('conflict', /at the same moment\. Try again/))
      assert.equal(await findSite(db, 'other'), undefined)
      await deleteSite(db, 'taken')
    })

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

    it('are gone, with their names, when they are canceled before they begin', async () => {
      const { job } = await create({ slug: 'never', title: 'Never' })
      await manage().jobCancel({ params: { id: job.id } })
      await assert.rejects(manage().siteGet({ params: { slug: 'never' } }), isProblem('not_found', /no site never/))
      const again = await create({ slug: 'never', title: 'Never' })
      await manage().jobCancel({ params: { id: again.job.id } })
    })

    it('take one job at a time', async () => {
      const params = { slug: 'hello' }
      const full = panel.as('full')
      const changes = [
        () => full.siteStart({ params }),
        () => full.siteStop({ params }),
        () => full.siteRestart({ params }),
        () => full.sitePhp({ params, body: { version: '8.2' } }),
        () => full.siteReconcile({ params }),
        () => full.siteDelete({ params }),
        () => full.siteMove({ params, body: { targetServerId: 1 } }),
        () => full.siteMoveFinalize({ params }),
        () => full.siteGoLive({ params, body: { domains: ['a.example'] } }),
        () => full.siteDomainsUpdate({ params, body: { domains: ['a.example'] } }),
        () => full.wpResetPassword({ params, body: { user: 'ada' } }),
      ]
      const { jobId } = await full.siteGet({ params })
      for (const status of ['creating', 'running', 'deleting'] as const) {
        await panel.foundation.database.db.updateTable('site').set({ status }).execute()
        for (const change of changes)
          await assert.rejects(change(), (error: Problem) => {
            assert.deepEqual(
              [error.code, (error.details as { jobId: string }).jobId],
              ['job_conflict', jobId],
              String(change),
            )
            return true
          })
      }
      await panel.foundation.database.db.updateTable('site').set({ status: 'running' }).execute()
      assert.deepEqual((await panel.as('full').siteReconcileAll({ body: {} })).jobs, [], 'it is left out')
    })

    it('have names that visitors can reach and no one else has', async () => {
      const live = (domains: string[]) => create({ slug: 'live', domainMode: 'live', domains })
      await assert.rejects(live([]), isProblem('validation_error', /at least one/))
      await assert.rejects(live(['a.example', 'a.example']), isProblem('validation_error', /twice/))
      await assert.rejects(live(['localhost']), isProblem('conflict', /panel's own address/))
      await assert.rejects(live(['example']), isProblem('validation_error', /visitors can't reach/))
      for (const name of [
        '*.example.com',
        '192.0.2.1',
        'A.example',
        'a.example.',
        'a b.example',
        'xn--.',
        '-a.example',
      ])
        await assert.rejects(live([name]), isProblem('validation_error', /^Domains, entry 1, /), name)
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

    it('have the disk limits of the settings, or their own', async () => {
      const params = { slug: 'hello' }
      const MIB = 1024 ** 2
      const limits = async () => {
        const { disk } = await manage().siteGet({ params })
        return [disk.limitBytes, disk.limitFiles, disk.ownLimitMiB, disk.ownLimitFiles]
      }
      assert.deepEqual(await limits(), [10_240 * MIB, 400_000, null, null])
      await panel.as('full').settingsUpdate({ body: { siteLimits: { diskMiB: 500, files: 0 } } })
      assert.deepEqual(await limits(), [500 * MIB, null, null, null])
      await manage().siteUpdate({ params, body: { diskLimitMiB: 0, diskLimitFiles: 7 } })
      assert.deepEqual(await limits(), [null, 7, 0, 7])
      for (const body of [{ diskLimitMiB: -1 }, { diskLimitMiB: 1.5 }, { diskLimitFiles: 1e12 }])
        await assert.rejects(manage().siteUpdate({ params, body }), isProblem('validation_error', /limit/i))
      await assert.rejects(panel.as('read-only').siteUpdate({ params, body: {} }), isProblem('forbidden', /./))
      assert.deepEqual(await limits(), [null, 7, 0, 7])
      await manage().siteUpdate({ params, body: { diskLimitMiB: null, diskLimitFiles: null } })
      assert.deepEqual(await limits(), [500 * MIB, null, null, null])
    })

    it('are backed up before their end when that is wanted and they can be', async () => {
      const asked = { params: { slug: 'hello' }, query: { finalBackup: 'true' as const } }
      const { db } = panel.foundation.database
      await db.deleteFrom('job').execute()
      await db.updateTable('site').set({ status: 'creating' }).where('slug', '=', 'hello').execute()
      await assert.rejects(panel.as('full').siteDelete(asked), isProblem('conflict', /hello is creating/))
      await db.updateTable('site').set({ status: 'running' }).where('slug', '=', 'hello').execute()
      const { job } = await panel.as('full').siteDelete(asked)
      assert.equal(job.type, 'site.delete')
    })
  })
}
