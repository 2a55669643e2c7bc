import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Config } from '#platform/config/config.ts'
import { findJob } from '#platform/jobs/job-store.ts'
import { lanesAreFreeOn } from '#test/support/fault-house.ts'
import { type Asked, boundaryBefore, everyBoundary, type Kill, runKilledPanel } from '#test/support/killed-panel.ts'
import { ownServers } from '#test/support/leased-servers.ts'
import { testPanel } from '#test/support/panel.ts'
import { lookAtSites, type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { SOAK } from '#test/support/soak.ts'
import { siteCreate } from './site.create.ts'
import { siteDelete } from './site.delete.ts'

const SLUG = 'hello'
const CREATE_KILLS: Kill[] = SOAK
  ? everyBoundary(siteCreate)
  : [
      { killAt: boundaryBefore(siteCreate, 'Starting the container and the database'), killAfterMs: 300 },
      { killAt: boundaryBefore(siteCreate, 'Checking that the site responds') },
    ]
const DELETE_KILLS: Kill[] = SOAK
  ? everyBoundary(siteDelete)
  : [{ killAt: boundaryBefore(siteDelete, 'Deleting files and database'), killAfterMs: 50 }]

describe('a panel killed with -9 while it works on a site', { timeout: SOAK ? 3_600_000 : 600_000 }, () => {
  let house: SiteHouse
  let config: Config
  let whole: string[]
  let nothing: string[]
  const look = () => lookAtSites(house.servers[0] ?? assert.fail())
  const create = (): Asked => ({
    endpoint: 'siteCreate',
    request: {
      body: {
        title: 'Hello',
        slug: SLUG,
        domainMode: 'dev',
        adminUser: 'ada',
        adminEmail: 'ada@example.com',
        serverId: house.ids[0],
      },
    },
  })
  const remove = (): Asked => ({ endpoint: 'siteDelete', request: { params: { slug: SLUG }, query: {} } })

  before(async () => {
    house = await siteHouse(1, {}, ownServers)
    config = house.panel.config
    // Its folder is used by panels in processes of their own from here on.
    await house.panel.close()
    nothing = await look()
    await runKilledPanel(config, { ask: create() })
    whole = await look()
    assert.notDeepEqual(whole, nothing)
    await runKilledPanel(config, { ask: remove() })
    assert.deepEqual(await look(), nothing)
  })
  after(() => house?.[Symbol.asyncDispose]())

  /** Killed once, started again: the job succeeds and no lane is held. */
  const goesOn = async (kill: Kill, ask: Asked) => {
    const { killed, jobId = '' } = await runKilledPanel(config, { ...kill, ask })
    assert.ok(killed, 'it was over before the boundary')
    await runKilledPanel(config)
    const panel = await testPanel({ config })
    try {
      await lanesAreFreeOn(panel)
      const row = await findJob(panel.foundation.database.db, jobId)
      assert.deepEqual([row?.status, row?.error_message], ['succeeded', null])
    } finally {
      await panel.close()
    }
  }

  for (const kill of CREATE_KILLS) {
    it(`creates it anyway: boundary ${kill.killAt}, ${kill.killAfterMs ?? 0} ms later`, async () => {
      await goesOn(kill, create())
      assert.deepEqual(await look(), whole)
      await runKilledPanel(config, { ask: remove() })
      assert.deepEqual(await look(), nothing)
    })
  }

  for (const kill of DELETE_KILLS) {
    it(`deletes it anyway: boundary ${kill.killAt}, ${kill.killAfterMs ?? 0} ms later`, async () => {
      await runKilledPanel(config, { ask: create() })
      await goesOn(kill, remove())
      assert.deepEqual(await look(), nothing)
    })
  }
})
