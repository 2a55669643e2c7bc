import assert from 'node:assert/strict'
import type { Socket } from 'node:dgram'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { Problem } from '#platform/contract/problem.ts'
import { failActiveJobs } from '#platform/jobs/job-store.ts'
import { nameServer } from '#test/support/name-server.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { deleteGoLive } from '../domains/go-live-store.ts'
import { replaceHostnames } from '../domains/hostname-store.ts'
import { changeSite, freeNetworkIndex, getSite } from '../site-store.ts'
import { changePlaces, deleteCopy, getCopy, reserveCopy, setStage } from './copy-store.ts'
import { finishMoves } from './finish-moves.ts'

const isProblem = (code: string, about: RegExp) => (error: unknown) =>
  error instanceof Problem && error.code === code && about.test(error.message)

const SLUG = 'hello'
const params = { slug: SLUG }
const OLD = [192, 0, 2, 1]
const NEW = [192, 0, 2, 2]

for (const engineName of ENGINES) {
  describe(`moves on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let dns: Socket
    let answer = OLD
    const db = () => panel.foundation.database.db
    const full = () => panel.as('full')
    before(async () => {
      dns = await nameServer(() => answer)
      panel = await testPanel({ engineName, env: { DNS_SERVERS: `127.0.0.1:${dns.address().port}` } })
      const like = await db().selectFrom('server').selectAll().executeTakeFirstOrThrow()
      const other = { id: 2, name: 'two', ssh_host: '192.0.2.2', public_ip: NEW.join('.'), dev_domain: 'two.localhost' }
      await db()
        .insertInto('server')
        .values({ ...like, ...other })
        .execute()
      // Nothing runs the jobs here, so it is enough that the panel believes it.
      await db().updateTable('server').set({ provisioned_at: 1 }).where('id', '=', 1).execute()
      await db()
        .updateTable('server')
        .set({ public_ip: OLD.join('.') })
        .where('id', '=', 1)
        .execute()
      const account = { adminUser: 'ada', adminEmail: 'ada@example.com' }
      const body = { title: 'Hello', slug: SLUG, domainMode: 'live' as const, domains: ['hello.example'], ...account }
      await full().siteCreate({ body })
      await failActiveJobs(db(), 'test', 'Nothing runs jobs here.', Date.now())
      await deleteGoLive(db(), SLUG)
      await replaceHostnames(db(), SLUG, { serving: ['hello.example'] })
      await changeSite(db(), SLUG, { status: 'running', domain_mode: 'live' })
    })
    after(async () => {
      await panel?.stop()
      dns?.close()
    })

    it('are for those with full access, to another server that is set up', async () => {
      const move = (targetServerId: number) => full().siteMove({ params, body: { targetServerId } })
      await assert.rejects(
        panel.as('manage').siteMove({ params, body: { targetServerId: 2 } }),
        isProblem('forbidden', /full/i),
      )
      await assert.rejects(move(1), isProblem('conflict', /already/))
      await assert.rejects(move(2), isProblem('conflict', /not set up/))
      await assert.rejects(move(3), isProblem('not_found', /no server 3/))
      await db().updateTable('server').set({ provisioned_at: 1 }).execute()
      const { job } = await move(2)
      assert.deepEqual(job.lanes.toSorted(), ['server:1', 'server:2'])
      await full().jobCancel({ params: { id: job.id } })
      await assert.rejects(full().siteMoveFinalize({ params }), isProblem('conflict', /has no copy/))
    })

    it('that were interrupted are named, and can be reconciled or deleted, holding both servers', async () => {
      await reserveCopy(db(), SLUG, 2, 1)
      for (const stage of ['copying', 'arrived', 'held'] as const) {
        await setStage(db(), SLUG, stage)
        assert.equal((await full().siteGet({ params })).interrupted, 'move')
        const { attention } = await full().overview()
        assert.ok(attention.some(({ id }) => id === `site-interrupted:${SLUG}`))
        const again = full().siteMove({ params, body: { targetServerId: 2 } })
        await assert.rejects(again, isProblem('conflict', /was interrupted\. Reconcile the site/))
        await assert.rejects(full().siteMoveFinalize({ params }), isProblem('conflict', /Reconcile the site/))
        for (const start of [full().siteReconcile, (asked: { params: typeof params }) => full().siteDelete(asked)]) {
          const { job } = await start({ params })
          assert.deepEqual(job.lanes.toSorted(), ['server:1', 'server:2'])
          assert.equal((await full().siteGet({ params })).interrupted, null, 'a job works on it')
          await full().jobCancel({ params: { id: job.id } })
        }
      }
      await deleteCopy(db(), SLUG)
      assert.equal((await full().siteGet({ params })).interrupted, null)
    })

    it('are not a way out of a creation that was interrupted; reconciling and deleting are', async () => {
      await changeSite(db(), SLUG, { status: 'creating' })
      assert.equal((await full().siteGet({ params })).interrupted, 'create')
      await assert.rejects(full().siteMove({ params, body: { targetServerId: 2 } }), isProblem('conflict', /creating/))
      for (const start of [full().siteReconcile, (asked: { params: typeof params }) => full().siteDelete(asked)]) {
        const { job } = await start({ params })
        await full().jobCancel({ params: { id: job.id } })
      }
      await changeSite(db(), SLUG, { status: 'running' })
    })

    it('keep a network on both servers, and give it to no one else', async () => {
      const first = await reserveCopy(db(), SLUG, 2, 1)
      assert.deepEqual(await reserveCopy(db(), SLUG, 2, 2), first)
      assert.deepEqual([first.network_index, await freeNetworkIndex(db(), 2)], [0, 1])
      for (let times = 0; times < 2; times += 1) await changePlaces(db(), SLUG, 5)
      assert.equal((await getSite(db(), SLUG)).server_id, 2)
      const { server_id, stage } = await getCopy(db(), SLUG)
      assert.deepEqual([server_id, stage, await freeNetworkIndex(db(), 1)], [1, 'parked', 1])
    })

    it('leave the site to be stopped, restarted and started before they are finished', async () => {
      for (const [status, start] of [
        ['running', full().siteStop],
        ['running', full().siteRestart],
        ['stopped', full().siteStart],
      ] as const) {
        await changeSite(db(), SLUG, { status })
        const { job } = await start({ params })
        await full().jobCancel({ params: { id: job.id } })
      }
      await changeSite(db(), SLUG, { status: 'running' })
    })

    it('are seen, and come before the next one and before the end of the old server', async () => {
      const site = await full().siteGet({ params })
      assert.deepEqual([site.serverId, site.parkedOn], [2, 1])
      const again = full().siteMove({ params, body: { targetServerId: 1 } })
      await assert.rejects(again, isProblem('conflict', /unfinished move/))
      const { items } = await full().serverList()
      assert.deepEqual(
        items.map(({ id, sites }) => [id, sites]),
        [
          [1, 1],
          [2, 1],
        ],
      )
    })

    it('are finalized in the night once DNS points every name to the new server', async () => {
      const scope = panel.world.scope(systemActor('test'))
      assert.equal(await finishMoves(scope), 0)
      answer = NEW
      assert.equal(await finishMoves(scope), 1)
      assert.equal(await finishMoves(scope), 0, 'the site has a job already')
      const { items } = await full().jobList({ query: { siteSlug: SLUG, status: 'queued' } })
      assert.deepEqual(
        items.map(({ type, serverId }) => [type, serverId]),
        [['site.moveFinalize', 1]],
      )
      await full().jobCancel({ params: { id: items[0]?.id ?? '' } })
    })

    it('end with the site: the job holds both servers', async () => {
      const { job } = await full().siteDelete({ params, query: {} })
      assert.deepEqual(job.lanes.toSorted(), ['server:1', 'server:2'])
      await full().jobCancel({ params: { id: job.id } })
      await setStage(db(), SLUG, 'leaving')
      assert.equal((await full().siteGet({ params })).parkedOn, 1)
      await deleteCopy(db(), SLUG)
      assert.equal((await full().siteGet({ params })).parkedOn, null)
    })
  })
}
