import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { Problem } from '#platform/contract/problem.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { changeSite, freeNetworkIndex, getSite } from '../site-store.ts'
import { changePlaces, deleteCopy, getCopy, reserveCopy, setStage } from './copy-store.ts'
import { finishMoves } from './finish-moves.ts'

const isProblem = (code: string, about: RegExp) => (error: unknown) =>
  error instanceof Problem && error.code === code && about.test(error.message)

const SLUG = 'hello'
const params = { slug: SLUG }
const OLD = [192, 0, 2, 1]
const NEW = [192, 0, 2, 2]

/** A name server that gives every name the same address. */
const nameServer = async (answer: () => readonly number[]): Promise<Socket> => {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    const isAddress = question.readUInt16BE(question.length - 4) === 1
    const head = Buffer.from(question.subarray(0, 12))
    head.writeUInt16BE(0x81_80, 2)
    head.writeUInt16BE(isAddress ? 1 : 0, 6)
    head.fill(0, 8)
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...answer()])
    socket.send(Buffer.concat([head, question.subarray(12), ...(isAddress ? [record] : [])]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket
}

for (const engineName of ENGINES) {
  describe(`moves on ${engineName}`, { timeout: 60_000 }, () => {
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
      const { job } = await full().siteCreate({ body })
      await full().jobCancel({ params: { id: job.id } })
      await changeSite(db(), SLUG, { status: 'running' })
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
      await assert.rejects(full().siteMoveFinalize({ params }), isProblem('conflict', /left nothing/))
    })

    it('keep a network on both servers, and give it to nobody else', async () => {
      const first = await reserveCopy(db(), SLUG, 2, 1)
      assert.deepEqual(await reserveCopy(db(), SLUG, 2, 2), first)
      assert.deepEqual([first.network_index, await freeNetworkIndex(db(), 2)], [0, 1])
      for (let times = 0; times < 2; times += 1) await changePlaces(db(), SLUG, 5)
      assert.equal((await getSite(db(), SLUG)).server_id, 2)
      const { server_id, stage } = await getCopy(db(), SLUG)
      assert.deepEqual([server_id, stage, await freeNetworkIndex(db(), 1)], [1, 'parked', 1])
    })

    it('are seen, and come before the next one and before the end of the old server', async () => {
      const site = await full().siteGet({ params })
      assert.deepEqual([site.serverId, site.parkedOn], [2, 1])
      const again = full().siteMove({ params, body: { targetServerId: 1 } })
      await assert.rejects(again, isProblem('conflict', /not finished/))
      const { items } = await full().serverList()
      assert.deepEqual(
        items.map(({ id, sites }) => [id, sites]),
        [
          [1, 1],
          [2, 1],
        ],
      )
    })

    it('are finalized in the night once DNS leads every name to the new server', async () => {
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
