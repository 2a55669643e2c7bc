import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { exerciseJob, variantsOf } from '#test/support/job-kit.ts'
import { ask } from '#test/support/move/visitors.ts'
import type { TestPanel } from '#test/support/panel.ts'
import { lookAtSites, type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { SOAK } from '#test/support/soak.ts'
import { getSite } from '../site-store.ts'
import { findCopy } from './copy-store.ts'
import { siteMove } from './site.move.ts'
import { siteMoveFinalize } from './site.move-finalize.ts'

const LIMIT_MS = 3 * 60_000
const SLUG = 'hello'
/** When everything is ready for the change-over: each move takes its time. */
const DEEPEST = ['copy-changes']
const params = { slug: SLUG }

describe('jobs of moving a site, on two real servers', { timeout: 20 * 60_000 }, () => {
  let house: SiteHouse
  /** Both are where the job that runs next begins and ends: the site goes to and fro. */
  let from = 0
  let to = 1
  before(async () => {
    house = await siteHouse(2, { extraJobs: [...variantsOf(siteMove), ...variantsOf(siteMoveFinalize)] })
    await house.create(SLUG)
  })
  after(() => house?.[Symbol.asyncDispose]())

  const siteOf = (panel: TestPanel) => getSite(panel.foundation.database.db, SLUG)
  const copyOf = (panel: TestPanel) => findCopy(panel.foundation.database.db, SLUG)
  const idOf = (at: number) => house.ids[at] ?? assert.fail()
  const serverOf = (at: number) => house.servers[at] ?? assert.fail()

  const finalized = async (panel: TestPanel) => {
    if (await copyOf(panel)) await house.succeeded((await panel.as('full').siteMoveFinalize({ params })).job.id)
    from = house.ids.indexOf((await siteOf(panel)).server_id)
    to = 1 - from
  }

  /** What the servers have, and whether visitors get a page wherever they are pointed to. */
  const look = async (panel: TestPanel) => {
    const { server_id, status } = await siteOf(panel)
    const copy = await copyOf(panel)
    const hostname = `${SLUG}.${house.servers[0]?.name}.localhost`
    const statusAt = async (at: number) => (await ask({ address: serverOf(at).address, hostname, path: '/' })).status
    return {
      old: await lookAtSites(serverOf(from)),
      next: await lookAtSites(serverOf(to)),
      site: [server_id === idOf(from) ? 'old' : 'next', status],
      copy: copy && [copy.server_id === idOf(from) ? 'old' : 'next', copy.stage],
      answers: [await statusAt(from), await statusAt(to)],
    }
  }

  it('site.move: the site is on the new server, or as before with nothing left there', () =>
    exerciseJob('sqlite', siteMove, {
      panel: house.panel,
      limitMs: LIMIT_MS,
      ...(SOAK ? {} : { failAt: DEEPEST }),
      look,
      prepare: async panel => {
        await finalized(panel)
        return { slug: SLUG, serverId: idOf(from), otherServerId: idOf(to) }
      },
    }))

  it('site.moveFinalize: nothing is left on the old server, or all is as before', () =>
    exerciseJob('sqlite', siteMoveFinalize, {
      panel: house.panel,
      limitMs: LIMIT_MS,
      ...(SOAK ? {} : { failAt: ['remove-parked-copy'] }),
      look,
      prepare: async panel => {
        const copy = await copyOf(panel)
        if (!copy || copy.stage === 'leaving') {
          await finalized(panel)
          const body = { targetServerId: idOf(to) }
          await house.succeeded((await panel.as('full').siteMove({ params, body })).job.id)
        }
        return { slug: SLUG, serverId: idOf(from) }
      },
    }))
})
