import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { JobType } from '#platform/jobs/job-type.ts'
import { exerciseJob, variantsOf } from '#test/support/job-kit.ts'
import type { TestPanel } from '#test/support/panel.ts'
import { lookAtSites, type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { SOAK } from '#test/support/soak.ts'
import { sealDatabasePassword } from '../site-database.ts'
import { changeSite, deleteSite, findSite, getSite, insertSite, type SiteRow } from '../site-store.ts'
import { siteChangePhp } from './site.change-php.ts'
import { siteCreate } from './site.create.ts'
import { siteDelete } from './site.delete.ts'
import { siteReconcile } from './site.reconcile.ts'
import { siteRestart } from './site.restart.ts'
import { siteStart } from './site.start.ts'
import { siteStop } from './site.stop.ts'

const LIMIT_MS = 3 * 60_000
const SLUG = 'hello'
const FRESH = 'fresh'

describe('jobs of sites, on a real server', { timeout: 20 * 60_000 }, () => {
  let house: SiteHouse
  const dbOf = (panel: TestPanel) => panel.foundation.database.db
  before(async () => {
    const extraJobs = [
      ...variantsOf(siteCreate),
      ...variantsOf(siteDelete),
      ...variantsOf(siteStart),
      ...variantsOf(siteStop),
      ...variantsOf(siteRestart),
      ...variantsOf(siteChangePhp),
      ...variantsOf(siteReconcile),
    ]
    house = await siteHouse(1, { extraJobs })
    await house.create(SLUG)
  })
  after(() => house?.[Symbol.asyncDispose]())

  const serverId = () => house.ids[0] ?? 0
  const world = () => lookAtSites(house.servers[0] ?? assert.fail())
  const rowOf = async (panel: TestPanel, slug: string) => {
    const row = await findSite(dbOf(panel), slug)
    return row && [row.status, row.php_version]
  }

  /** The site as a job finds it: in this state, on PHP 8.4. */
  const settled = async (panel: TestPanel, status: 'running' | 'stopped') => {
    const api = panel.as('full')
    const params = { slug: SLUG }
    await changeSite(dbOf(panel), SLUG, { php_version: '8.4', status: 'running' })
    await house.succeeded((await api.siteReconcile({ params })).job.id)
    if (status === 'stopped') await house.succeeded((await api.siteStop({ params })).job.id)
    return { slug: SLUG, serverId: serverId() }
  }
  const onSite = <S, R>(type: JobType<{ slug: string; serverId: number }, S, R>, status: 'running' | 'stopped') =>
    exerciseJob('sqlite', type, {
      panel: house.panel,
      limitMs: LIMIT_MS,
      prepare: panel => settled(panel, status),
      look: async panel => ({ world: await world(), row: await rowOf(panel, SLUG) }),
    })

  it('site.start: a stopped site runs, or is stopped as before', () => onSite(siteStart, 'stopped'))
  it('site.start: a site that runs already continues running, whatever fails', () => onSite(siteStart, 'running'))
  it('site.stop: a running site is stopped, or runs as before', () => onSite(siteStop, 'running'))
  it('site.restart: the site runs afterwards', () => onSite(siteRestart, 'running'))
  it('site.reconcile: changes nothing where all is healthy', () => onSite(siteReconcile, 'running'))

  it('site.changePhp: runs on the new version, or on the one before', () =>
    exerciseJob('sqlite', siteChangePhp, {
      panel: house.panel,
      limitMs: LIMIT_MS,
      prepare: async panel => ({ ...(await settled(panel, 'running')), version: '8.2' as const }),
      look: async panel => ({ world: await world(), row: await rowOf(panel, SLUG) }),
    }))

  /** A row as it is made together with the job. */
  const insertFresh = async (panel: TestPanel) => {
    const like = await getSite(dbOf(panel), SLUG)
    const row: SiteRow = {
      ...like,
      slug: FRESH,
      status: 'creating',
      network_index: 7,
      uid: like.uid + 7,
      sealed_database_password: sealDatabasePassword({ secrets: panel.foundation.box }, FRESH, 'a password'),
    }
    await deleteSite(dbOf(panel), FRESH)
    await insertSite(dbOf(panel), row, [`${FRESH}.${house.servers[0]?.name}.localhost`])
    return { slug: FRESH, serverId: serverId() }
  }
  const removeFresh = async (panel: TestPanel) => {
    if (!(await findSite(dbOf(panel), FRESH))) return
    const { job } = await panel.as('full').siteDelete({ params: { slug: FRESH }, query: {} })
    await house.succeeded(job.id)
  }

  it('site.create: a whole site, or nothing of one', () =>
    exerciseJob('sqlite', siteCreate, {
      panel: house.panel,
      limitMs: LIMIT_MS,
      ...(SOAK ? {} : { failAt: ['start-and-install'] }),
      prepare: async panel => {
        await removeFresh(panel)
        return { ...(await insertFresh(panel)), adminUser: 'ada' }
      },
      look: world,
    }))

  it('site.delete: as before, or without a trace once something was deleted', () =>
    exerciseJob('sqlite', siteDelete, {
      panel: house.panel,
      limitMs: LIMIT_MS,
      ...(SOAK ? {} : { failAt: ['close', 'delete-data'] }),
      prepare: async panel => {
        await removeFresh(panel)
        await house.create(FRESH)
        return { slug: FRESH, serverId: serverId() }
      },
      look: async panel => ({ world: await world(), row: await rowOf(panel, FRESH) }),
    }))
})
