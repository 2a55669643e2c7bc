import assert from 'node:assert/strict'
import { it } from 'node:test'
import { latestOf } from '#features/servers/monitor/latest.ts'
import { NOTHING_READ } from '#test/support/nothing-read.ts'
import { testPanel } from '#test/support/panel.ts'

it('Home names a site whose container does not run, and leads to it', { timeout: 60_000 }, async t => {
  const panel = await testPanel()
  t.after(() => panel.stop())
  const { database } = panel.foundation
  await database.db.updateTable('server').set({ provisioned_at: 1 }).execute()
  for (const slug of ['well', 'down', 'stopped']) {
    const account = { adminUser: 'ada', adminEmail: 'ada@example.com' }
    await panel.as('full').siteCreate({ body: { title: slug, slug, domainMode: 'dev', ...account } })
    const status = slug === 'stopped' ? ('stopped' as const) : ('running' as const)
    await database.db.updateTable('site').set({ status }).where('slug', '=', slug).execute()
  }
  const unread = { cpuShare: null, memBytes: null, memLimitBytes: null, pids: null, stackPart: null, name: null }
  const containers = ['well', 'down', 'stopped'].map(slug => ({
    ...unread,
    id: slug,
    siteSlug: slug,
    up: slug === 'well',
  }))
  const sample = { ...NOTHING_READ, containers }
  latestOf(database).set(1, { reachable: true, at: 1, sample, siteDiskBytes: new Map() })
  const { counts, attention } = await panel.as('read-only').overview()
  assert.deepEqual([counts.sites, counts['sites.running']], [3, 2])
  assert.deepEqual(
    attention.filter(({ id }) => id.startsWith('site-')).map(({ id, action }) => [id, action?.to]),
    [['site-down:down', '/sites/down/settings?ask=reconcile']],
  )
})
