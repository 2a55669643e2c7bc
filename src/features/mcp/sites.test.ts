import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { insertSite } from '#features/sites/site-store.ts'
import { reachOf } from '#platform/contract/reach.ts'
import { sampleArgs } from '#test/generated/arbitrary.ts'
import { hurriedClock } from '#test/generated/clock.ts'
import { populatedPanel, TEST_JOBS } from '#test/generated/populated.ts'
import { served } from '#test/generated/served.ts'
import { type App, connectionTo, dataIn, openApp } from '#test/support/mcp.ts'
import type { TestPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'

const MINE = 'site-0'
const TOOL = { read: 'read', change: 'call', destroy: 'dangerous_call', files: 'read_file' } as const

describe('a connection that is limited to sites', { timeout: 300_000 }, () => {
  let panel: TestPanel
  let app: App
  before(async () => {
    panel = await populatedPanel({ now: hurriedClock() })
    await insertSite(panel.foundation.database.db, siteRow('not-mine', 500), ['not-mine.localhost'])
    const { token } = await connectionTo(panel, { siteSlugs: [MINE], allowDangerous: true })
    app = await openApp(panel, token, { person: () => 'accept' })
  })
  after(() => panel.stop())

  it('sees its sites and no other', async () => {
    const items = (text: string) => (dataIn(text) as { items: { slug: string }[] }).items.map(({ slug }) => slug)
    assert.deepEqual(items((await app.call('overview')).text), [MINE])
    assert.deepEqual(items((await app.call('read', { endpoint: 'siteList' })).text), [MINE])
    assert.equal((await app.call('read', { endpoint: 'siteGet', params: { slug: MINE } })).isError, false)
  })

  it('gets the same refusal for a site that exists and one that does not', async () => {
    const refusals = await Promise.all(
      ['not-mine', 'never-was'].map(async slug => {
        const { text } = await app.call('read', { endpoint: 'siteGet', params: { slug } })
        return text.replaceAll(/data-[0-9a-f]{12}/g, 'data')
      }),
    )
    assert.match(refusals[0] ?? '', /403/)
    assert.equal(refusals[0], refusals[1])
  })

  it('is refused wherever another site is named, in path, query or body', async () => {
    const attempts: [tool: string, args: Record<string, unknown>][] = [
      ['call', { endpoint: 'siteStart', params: { slug: 'not-mine' } }],
      ['dangerous_call', { endpoint: 'siteDelete', params: { slug: 'not-mine' } }],
      ['read', { endpoint: 'jobList', query: { siteSlug: 'not-mine' } }],
      ['read_file', { site: 'not-mine', path: 'index.php' }],
      ['write_file', { site: 'not-mine', path: 'x.txt', text: 'x' }],
      ['call', { endpoint: 'siteCreate', body: newSite('another') }],
    ]
    for (const [tool, args] of attempts) {
      const { text } = await app.call(tool, args)
      assert.match(text, /403[^]*can only reach site-0/, `${tool} ${JSON.stringify(args)}: ${text}`)
    }
  })

  it('finds jobs of its sites, and no others by their id', async () => {
    const { jobs } = panel.world.scope(systemActor('test'))
    const type = TEST_JOBS[0]
    assert.ok(type)
    const { db } = panel.foundation.database
    const all = await db.selectFrom('job').select(['id', 'site_slug']).execute()
    const [mine, foreign] = [all.find(job => job.site_slug === MINE), all.find(job => job.site_slug === 'site-1')]
    assert.ok(mine && foreign && jobs)
    assert.equal((await app.call('read', { endpoint: 'jobGet', params: { id: mine.id } })).isError, false)
    const refused = async (id: string) => [
      (await app.call('read', { endpoint: 'jobGet', params: { id } })).text.replaceAll(/data-\w+/g, ''),
      (await app.call('wait_for_job', { job: id, seconds: 1 })).text.replaceAll(/data-\w+/g, ''),
      (await app.call('dangerous_call', { endpoint: 'jobCancel', params: { id } })).text.replaceAll(/data-\w+/g, ''),
    ]
    assert.deepEqual(await refused(foreign.id), await refused('01900000-0000-7000-8000-000000000000'))
    assert.match((await refused(foreign.id)).join(), /404/)
  })

  it('is refused by every endpoint that could reach other sites, unless its contract says how it does not', async () => {
    const closed = served.filter(
      ({ endpoint }) =>
        reachOf(endpoint) !== undefined &&
        reachOf(endpoint) !== 'files' &&
        !endpoint.upload &&
        !/:slug\b/.test(endpoint.path) &&
        endpoint.sites === undefined,
    )
    assert.ok(closed.length > 20)
    for (const { id, endpoint } of closed) {
      const { params, query, body } = sampleArgs(endpoint)
      const reach = reachOf(endpoint) ?? 'read'
      const args = {
        endpoint: id,
        ...(params && { params }),
        ...(query && { query }),
        ...(reach !== 'read' && body !== undefined && { body }),
      }
      const { text } = await app.call(TOOL[reach], args)
      assert.match(text, /403[^]*can only reach site-0/, `${id}: ${text}`)
    }
  })
})

const newSite = (slug: string) => ({
  title: slug,
  slug,
  domainMode: 'dev',
  adminUser: 'ada',
  adminEmail: 'ada@example.com',
})
