import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { SITE_STATUSES, type Site, sites } from '#features/sites/contract.ts'
import { ACCESS } from '#platform/contract/level.ts'
import { type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteActions } from '../src/features/sites/web/can.ts'
import { verdictOf } from '../src/web/client/can.ts'
import { type Act, searchKind } from '../src/web/client/palette-search.ts'
import { registryOf } from '../src/web/client/registry.ts'

const bakery: Site = {
  slug: 'bakery',
  title: 'Bakery',
  serverId: 1,
  status: 'running',
  jobId: null,
  parkedOn: null,
  interrupted: null,
} as unknown as Site

type Id = keyof typeof sites
const able = (site: Site, ids: readonly Id[]) => ids.filter(id => verdictOf(siteActions, id, 'full', site).isAllowed)

const ACTS = ['siteStart', 'siteStop', 'siteRestart', 'siteMove', 'siteReconcile', 'siteDelete', 'siteGoLive'] as const

describe('what can be done to a site', () => {
  it('depends on its state', () => {
    const whileIn = (status: Site['status']) => able({ ...bakery, status }, ACTS)
    assert.deepEqual(whileIn('running'), [
      'siteStop',
      'siteRestart',
      'siteMove',
      'siteReconcile',
      'siteDelete',
      'siteGoLive',
    ])
    assert.deepEqual(whileIn('stopped'), ['siteStart', 'siteMove', 'siteReconcile', 'siteDelete'])
    assert.deepEqual(whileIn('creating'), [])
    assert.deepEqual(whileIn('deleting'), ['siteDelete'], 'a deletion that failed can be started again')
    const afterLoss = (part: Partial<Site>) => able({ ...bakery, ...part }, ['siteReconcile', 'siteMove', 'siteDelete'])
    assert.deepEqual(afterLoss({ status: 'creating', interrupted: 'create' }), ['siteReconcile', 'siteDelete'])
    assert.deepEqual(afterLoss({ interrupted: 'move' }), ['siteReconcile', 'siteDelete'])
  })

  it('is nothing while a job works on it, and each refusal says why', () => {
    for (const status of SITE_STATUSES) {
      const site = { ...bakery, status, jobId: '01890000-0000-7000-8000-000000000000' }
      assert.deepEqual(able(site, ACTS), [])
      for (const id of ACTS) assert.match(verdictOf(siteActions, id, 'full', site).reason ?? '', /\.$/)
    }
  })

  it('needs the level of the contract, whatever the state', () => {
    for (const id of Object.keys(sites) as Id[])
      for (const access of ACCESS) {
        const enough = ACCESS.indexOf(access) >= ACCESS.indexOf(sites[id].level)
        const verdict = verdictOf(siteActions, id, access)
        assert.deepEqual([verdict.isOffered, verdict.isAllowed], [enough, enough], `${id} with ${access}`)
        assert.equal(verdict.reason === undefined, enough)
      }
  })

  it('leaves a button in place when the reason passes, and hides what makes no sense', () => {
    const busy = { ...bakery, jobId: 'x' }
    assert.deepEqual(verdictOf(siteActions, 'siteStop', 'full', busy).isOffered, true)
    assert.deepEqual(verdictOf(siteActions, 'siteStart', 'full', busy).isOffered, false)
    assert.equal(verdictOf(siteActions, 'siteMoveFinalize', 'full', bakery).isOffered, false)
    assert.equal(verdictOf(siteActions, 'siteMoveFinalize', 'full', { ...bakery, parkedOn: 2 }).isAllowed, true)
  })
})

describe('what a person is offered', () => {
  let panel: TestPanel
  before(async () => {
    panel = await testPanel()
    const { db } = panel.foundation.database
    await db.updateTable('server').set({ provisioned_at: 1 }).execute()
    const body = {
      title: 'Bakery',
      slug: 'bakery',
      domainMode: 'dev',
      adminUser: 'ada',
      adminEmail: 'ada@example.com',
    } as const
    await panel.as('full').siteCreate({ body })
  })
  after(() => panel.stop())

  const params = { slug: 'bakery' }
  /** Nothing runs the jobs here, so a site is in a state as soon as its row says so. */
  const bringTo = async (status: Site['status']) => {
    const { db } = panel.foundation.database
    await db.deleteFrom('job').execute()
    await db.updateTable('site').set({ status }).execute()
    return panel.as('full').siteGet({ params })
  }
  const calls = {
    siteStart: () => panel.as('full').siteStart({ params }),
    siteStop: () => panel.as('full').siteStop({ params }),
    siteRestart: () => panel.as('full').siteRestart({ params }),
    siteReconcile: () => panel.as('full').siteReconcile({ params }),
    sitePhp: () => panel.as('full').sitePhp({ params, body: { version: '8.2' } }),
    siteDelete: () => panel.as('full').siteDelete({ params }),
  }
  const isAccepted = (call: () => Promise<unknown>) =>
    call().then(
      () => true,
      () => false,
    )

  it('is never refused by the panel, and something is offered wherever it can act', async () => {
    let allowed = 0
    for (const status of SITE_STATUSES) {
      for (const [id, call] of Object.entries(calls)) {
        const site = await bringTo(status)
        const { isAllowed } = verdictOf(siteActions, id as Id, 'full', site)
        if (!isAllowed) continue
        allowed += 1
        assert.ok(await isAccepted(call), `${id} while ${status} is offered and refused`)
      }
    }
    assert.equal(allowed, 12)
  })

  it('is nothing more while the panel works on it', async () => {
    await bringTo('running')
    await calls.siteRestart()
    const site = await panel.as('full').siteGet({ params })
    for (const id of Object.keys(calls))
      assert.equal(verdictOf(siteActions, id as Id, 'full', site).isAllowed, false, id)
  })
})

describe('the palette', () => {
  const icon = (() => null) as never
  const acts: readonly Act<typeof sites, Site>[] = [
    { words: 'Restart', icon, does: 'siteRestart', how: async () => ({}) },
    { words: 'Start', icon, does: 'siteStart', how: async () => ({}) },
    { words: 'Move', icon, does: 'siteMove', how: '/settings?ask=move' },
  ]
  const tabs = [
    { path: '', label: 'Overview', icon, order: 10, load: async () => icon },
    { path: 'domains', label: 'Domains', icon, order: 20, load: async () => icon },
    { path: 'settings', label: 'Settings', icon, order: 90, needs: 'manage' as const, load: async () => icon },
  ]
  const offered = async (q: string, site: Site, access: (typeof ACCESS)[number] = 'full') => {
    const found = await searchKind(
      q,
      { access, registry: registryOf([{ tabs: { site: tabs } }]) },
      {
        host: 'site',
        actions: siteActions,
        acts,
        find: async text => (text.startsWith('bak') ? [site] : []),
        show: ({ title, slug }) => ({ title, icon, to: `/sites/${slug}` }),
      },
    )
    return found.map(({ title, refusal, to }) => [title, refusal ?? to])
  }

  it('offers what the buttons offer, with the same reasons', async () => {
    const job = 'A job is running on this site. Wait until it ends.'
    const always = [
      ['Bakery', '/sites/bakery'],
      ['Domains of Bakery', '/sites/bakery/domains'],
      ['Settings of Bakery', '/sites/bakery/settings'],
    ]
    assert.deepEqual(await offered('bak', bakery), [
      ...always,
      ['Restart Bakery', undefined],
      ['Move Bakery', '/sites/bakery/settings?ask=move'],
    ])
    assert.deepEqual(await offered('bak', { ...bakery, jobId: 'x' }), [
      ...always,
      ['Restart Bakery', job],
      ['Move Bakery', job],
    ])
    assert.deepEqual(await offered('restart bak', { ...bakery, status: 'stopped' }), [])
    assert.deepEqual(await offered('rest bak', bakery), [['Restart Bakery', undefined]])
  })

  it('offers tabs that the person may open, and nothing they may not do', async () => {
    assert.deepEqual(await offered('bak', bakery, 'read-only'), [
      ['Bakery', '/sites/bakery'],
      ['Domains of Bakery', '/sites/bakery/domains'],
    ])
  })
})
