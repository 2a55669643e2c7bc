import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Config } from '#platform/config/config.ts'
import { findJob } from '#platform/jobs/job-store.ts'
import { lanesAreFreeOn, shellOn } from '#test/support/fault-house.ts'
import { type Asked, boundaryBefore, everyBoundary, type Kill, runKilledPanel } from '#test/support/killed-panel.ts'
import { ownServers } from '#test/support/leased-servers.ts'
import { ask } from '#test/support/move/visitors.ts'
import { testPanel } from '#test/support/panel.ts'
import { lookAtSites, type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { SOAK } from '#test/support/soak.ts'
import { siteMove } from './site.move.ts'

const SLUG = 'hello'
const params = { slug: SLUG }
const KILLS: Kill[] = SOAK
  ? everyBoundary(siteMove)
  : [{ killAt: boundaryBefore(siteMove, 'Pausing traffic'), killAfterMs: 400 }]
const CHECKSUM = `cd /srv/fleetpress/sites/${SLUG}/html && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum`

describe('a panel killed with -9 while it moves a site', { timeout: SOAK ? 3_600_000 : 600_000 }, () => {
  let house: SiteHouse
  let config: Config
  let from = 0
  const finalize: Asked = { endpoint: 'siteMoveFinalize', request: { params } }
  const move = (): Asked => ({
    endpoint: 'siteMove',
    request: { params, body: { targetServerId: house.ids[1 - from] } },
  })
  const serverOf = (at: number) => house.servers[at] ?? assert.fail()

  before(async () => {
    house = await siteHouse(2, {}, ownServers)
    await house.create(SLUG)
    config = house.panel.config
    // Its folder is used by panels in processes of their own from here on.
    await house.panel.close()
  })
  after(() => house?.[Symbol.asyncDispose]())

  for (const kill of KILLS) {
    it(`moves it anyway: boundary ${kill.killAt}, ${kill.killAfterMs ?? 0} ms later`, async t => {
      const hostname = `${SLUG}.${house.servers[0]?.name}.localhost`
      const nothing = (await lookAtSites(serverOf(1 - from))).filter(line => line !== '')
      const checksum = await shellOn(serverOf(from))(CHECKSUM)
      const { killed, jobId = '' } = await runKilledPanel(config, { ...kill, ask: move() })
      assert.ok(killed, 'it was over before the boundary')
      // Asked while no panel runs: a visitor who has to wait is answered by the old server itself.
      const asked = Date.now()
      const answer = await ask({ address: serverOf(from).address, hostname, path: '/' })
      assert.equal(answer.status, 200)
      t.diagnostic(`answered after ${Date.now() - asked} ms without a panel`)
      await runKilledPanel(config)
      const panel = await testPanel({ config })
      try {
        await lanesAreFreeOn(panel)
        const row = await findJob(panel.foundation.database.db, jobId)
        assert.deepEqual([row?.status, row?.error_message], ['succeeded', null])
      } finally {
        await panel.close()
      }
      assert.equal(await shellOn(serverOf(1 - from))(CHECKSUM), checksum)
      await runKilledPanel(config, { ask: finalize })
      assert.deepEqual(await lookAtSites(serverOf(from)), nothing)
      assert.equal((await ask({ address: serverOf(1 - from).address, hostname, path: '/' })).status, 200)
      from = 1 - from
    })
  }
})
