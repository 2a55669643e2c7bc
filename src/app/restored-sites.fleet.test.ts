import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { takeSnapshot } from '#features/panel/snapshot.ts'
import { siteCreate } from '#features/sites/life/site.create.ts'
import { siteDelete } from '#features/sites/life/site.delete.ts'
import { siteMove } from '#features/sites/move/site.move.ts'
import type { Job } from '#platform/contract/job.ts'
import type { AnyJobType } from '#platform/jobs/job-type.ts'
import { endedOn, logOn } from '#test/support/drive-panel.ts'
import { type TestPanel, testPanel } from '#test/support/panel.ts'
import { lookAtSites, type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { SOAK } from '#test/support/soak.ts'
import { restoreSnapshot } from './local.ts'

const LIMIT_MS = 600_000

/** Before which step the snapshot is taken, and whether the job then continues to its end or the panel is lost there. */
interface Moment {
  readonly step: string
  readonly goesOn: boolean
}

/** The first step has done nothing yet; with the panel lost there, it is an ordinary site. */
const momentsOf = (type: AnyJobType, sample: readonly Moment[]): readonly Moment[] =>
  SOAK ? type.steps.flatMap(({ label: step }) => [true, false].map(goesOn => ({ step, goesOn }))) : sample

const CREATE = momentsOf(siteCreate, [{ step: 'Starting the container and the database', goesOn: false }])
const MOVE = momentsOf(siteMove, [{ step: 'Copying the latest changes', goesOn: true }])
const DELETE = momentsOf(siteDelete, [{ step: 'Deleting files and database', goesOn: false }])

describe('a panel restored from a snapshot taken in the middle of a job', {
  timeout: SOAK ? 14_400_000 : 900_000,
}, () => {
  let house: SiteHouse
  let panel: TestPanel
  let at: Moment | undefined
  let snapshot: string | undefined
  let reached: (() => void) | undefined
  let lost = Promise.withResolvers<never>()

  const boundary = async (point: string, { step }: { step: string | null }) => {
    if (point !== 'before-step' || at?.step !== step) return
    const { goesOn } = at
    at = undefined
    const { config, foundation } = panel
    const taken = { name: `test-${Date.now()}`, now: Date.now(), version: '0.0.1' }
    snapshot = (await takeSnapshot(foundation.database, config.dataDir, taken)).file
    reached?.()
    // It gets no further before its database is closed, as if the process had been killed.
    if (!goesOn) await lost.promise
  }

  const open = async () => {
    panel = await testPanel({ config: house.panel.config, engine: { boundary } })
    await panel.engine.start()
  }

  /** Does it, loses the panel at the moment or after the job, and restores what the snapshot held. */
  const restoredAt = async (moment: Moment, start: () => Promise<{ job: Job }>) => {
    at = moment
    const arrived = new Promise<void>(resolve => {
      reached = resolve
    })
    const { job } = await start()
    await arrived
    if (moment.goesOn) assert.equal((await endedOn(panel, job, LIMIT_MS)).status, 'succeeded', await logOn(panel, job))
    await panel.close()
    lost.promise.catch(() => {})
    lost.reject(new Error('the panel is lost'))
    lost = Promise.withResolvers<never>()
    await restoreSnapshot(panel.config, snapshot ?? assert.fail(), () => {})
    rmSync(snapshot ?? '')
    await open()
    const { error } = (await panel.as('full').jobGet({ params: { id: job.id }, query: {} })).job
    assert.equal(error?.code, 'restored')
  }

  const succeeds = async ({ job }: { job: Job }) => {
    const ended = await endedOn(panel, job, LIMIT_MS)
    assert.equal(ended.status, 'succeeded', `${ended.error?.message}\n${await logOn(panel, ended)}`)
  }
  const siteOf = (slug: string) => panel.as('full').siteGet({ params: { slug } })
  const reconcile = async (slug: string) => succeeds(await panel.as('full').siteReconcile({ params: { slug } }))
  const remove = async (slug: string) => succeeds(await panel.as('full').siteDelete({ params: { slug }, query: {} }))
  const create = (slug: string) => {
    const account = { adminUser: 'ada', adminEmail: 'ada@example.com', serverId: house.ids[0] }
    return panel.as('full').siteCreate({ body: { title: slug, slug, domainMode: 'dev' as const, ...account } })
  }
  const assertServes = async (slug: string) => {
    const { serverId, hostnames, status, interrupted } = await siteOf(slug)
    assert.deepEqual([status, interrupted], ['running', null])
    const server = house.servers[house.ids.indexOf(serverId)] ?? assert.fail()
    const words = [
      'curl',
      '-sS',
      '-o',
      '/dev/null',
      '-w',
      '%{http_code}',
      '-H',
      `Host: ${hostnames[0]}`,
      'http://127.0.0.1/',
    ]
    assert.equal((await server.exec(words)).stdout, '200')
  }
  const traces = async () =>
    (await Promise.all(house.servers.map(lookAtSites))).flat().filter(line => /site|wp_/.test(line))

  before(async () => {
    house = await siteHouse(2)
    await house.panel.close()
    await open()
    await succeeds(await create('first'))
  })
  after(async () => {
    await panel?.close()
    await house?.[Symbol.asyncDispose]()
  })

  for (const [index, moment] of CREATE.entries()) {
    const slug = `made-${index}`
    it(`create, before "${moment.step}", ${moment.goesOn ? 'finished since' : 'lost there'}: reconciles, then deletes`, async () => {
      const before = await traces()
      await restoredAt(moment, () => create(slug))
      assert.equal((await siteOf(slug)).interrupted, 'create')
      await reconcile(slug)
      await assertServes(slug)
      await remove(slug)
      assert.deepEqual(await traces(), before)
    })

    it(`create, before "${moment.step}", ${moment.goesOn ? 'finished since' : 'lost there'}: deletes`, async () => {
      const before = await traces()
      await restoredAt(moment, () => create(slug))
      await remove(slug)
      assert.deepEqual(await traces(), before)
    })
  }

  for (const [index, moment] of MOVE.entries()) {
    const slug = `moved-${index}`
    it(`move, before "${moment.step}", ${moment.goesOn ? 'finished since' : 'lost there'}: reconciles, then deletes`, async () => {
      const before = await traces()
      await succeeds(await create(slug))
      const [, targetServerId = 0] = house.ids
      await restoredAt(moment, () => panel.as('full').siteMove({ params: { slug }, body: { targetServerId } }))
      const { interrupted } = await siteOf(slug)
      if (interrupted === 'move')
        await assert.rejects(panel.as('full').siteMoveFinalize({ params: { slug } }), /Reconcile the site/)
      await reconcile(slug)
      await assertServes(slug)
      await remove(slug)
      if (interrupted === 'move') assert.deepEqual(await traces(), before)
    })
  }

  for (const [index, moment] of DELETE.entries()) {
    const slug = `gone-${index}`
    it(`delete, before "${moment.step}", ${moment.goesOn ? 'finished since' : 'lost there'}: deletes`, async () => {
      const before = await traces()
      await succeeds(await create(slug))
      await restoredAt(moment, () => panel.as('full').siteDelete({ params: { slug }, query: {} }))
      await remove(slug)
      assert.deepEqual(await traces(), before)
    })
  }
})
