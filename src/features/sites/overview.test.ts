import assert from 'node:assert/strict'
import { it } from 'node:test'
import { latestOf } from '#features/monitor/latest.ts'
import { NOTHING_READ } from '#test/support/nothing-read.ts'
import { testPanel } from '#test/support/panel.ts'
import { changeDisk } from './disk/disk-store.ts'

it('Home names a site whose container does not run, and points to it', { timeout: 300_000 }, async t => {
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
  const seen = { limit_mib: 100, limit_files: null, used_files: 9, measured_at: 1 }
  await changeDisk(database.db, 'well', { ...seen, used_bytes: 95 * 1024 ** 2 })
  await changeDisk(database.db, 'stopped', { ...seen, used_bytes: 101 * 1024 ** 2, stopped_at: 2 })
  const { counts, attention } = await panel.as('read-only').overview()
  assert.deepEqual([counts.sites, counts['sites.running']], [3, 2])
  assert.deepEqual(
    attention.filter(({ id }) => id.startsWith('site-')).map(({ id, action }) => [id, action?.to]),
    [
      ['site-disk-full:stopped', '/sites/stopped/settings'],
      ['site-down:down', '/sites/down/settings?ask=reconcile'],
      ['site-disk-near:well', '/sites/well/settings'],
    ],
  )
  // What is gone from the server is not down: starting it again would help no one.
  await database.db.updateTable('site').set({ missing: 'all' }).where('slug', '=', 'down').execute()
  const gone = (await panel.as('read-only').overview()).attention.filter(({ id }) => id.endsWith(':down'))
  assert.deepEqual(
    gone.map(({ id, title, action }) => [id, title, action?.to]),
    [['site-missing:down', 'down is no longer on its server', '/sites/down/backups']],
  )
})
