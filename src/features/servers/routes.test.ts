import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { features } from '#app/features.ts'
import { systemActor } from '#app/world.ts'
import { latestOf } from '#features/monitor/latest.ts'
import { deleteSamples, insertSamples } from '#features/monitor/sample-store.ts'
import { toRows } from '#features/monitor/to-rows.ts'
import { stackVersion } from '#features/stack/version.ts'
import { Problem } from '#platform/contract/problem.ts'
import { NOTHING_READ } from '#test/support/nothing-read.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { changeServer } from './server-store.ts'

const UNUSED = {
  id: 'a'.repeat(64),
  name: null,
  siteSlug: null,
  stackPart: null,
  up: true,
  cpuShare: null,
  memBytes: null,
  memLimitBytes: null,
  pids: null,
}

/** No server is sampled: the tests say what was read of it. */
const unwatched = features.map(({ begin, ...feature }) =>
  begin && feature.name !== 'monitor' ? { ...feature, begin } : feature,
)

const isProblem = (code: string, about: RegExp) => (error: unknown) =>
  error instanceof Problem && error.code === code && about.test(error.message)

for (const engineName of ENGINES) {
  describe(`servers on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    const asked = { name: 'web1', sshHost: 'web1.invalid', devDomain: 'web1.localhost' }
    const full = () => panel.as('full')
    before(async () => {
      panel = await testPanel({ engineName, features: unwatched })
    })
    after(() => panel.stop())

    it('begin with the machine of the panel itself', async () => {
      const { items } = await panel.as('read-only').serverList()
      assert.deepEqual(
        items.map(({ id, own, status, sshHost, sites }) => ({ id, own, status, sshHost, sites })),
        [{ id: 1, own: true, status: 'new', sshHost: null, sites: 0 }],
      )
    })

    it('are reached with one key of the panel, made once', async () => {
      const keys = await Promise.all([1, 2, 3].map(() => panel.as('read-only').serverSshPublicKey()))
      assert.match(keys[0]?.publicKey ?? '', /^ssh-ed25519 [A-Za-z0-9+/]+=* fleetpress$/)
      assert.equal(new Set(keys.map(({ publicKey }) => publicKey)).size, 1)
    })

    it('can be registered before they answer, and say what to do', async () => {
      const { server, checks, job } = await full().serverCreate({ body: asked })
      assert.equal(server.id, 2)
      assert.equal(server.status, 'new')
      assert.equal(job, null)
      assert.deepEqual(
        checks.map(({ name, ok }) => [name, ok]),
        [['connection', false]],
      )
      assert.match(checks[0]?.todo ?? '', /port 22/)
    })

    it('are not kept when setting them up was asked for and is impossible', async () => {
      const body = { ...asked, name: 'web2', devDomain: 'web2.localhost', sshHost: 'web2.invalid', provision: true }
      await assert.rejects(full().serverCreate({ body }), isProblem('bad_gateway', /Couldn't add the server/))
      assert.equal((await full().serverList()).items.length, 2)
    })

    it('have names, addresses and dev domains of their own', async () => {
      const other = { name: 'web3', sshHost: 'web3.invalid', devDomain: 'web3.localhost' }
      for (const same of [{ name: asked.name }, { sshHost: asked.sshHost }, { devDomain: asked.devDomain }]) {
        await assert.rejects(
          full().serverCreate({ body: { ...other, ...same } }),
          isProblem('conflict', /Another server/),
        )
      }
      await assert.rejects(
        full().serverUpdate({ params: { id: 1 }, body: { devDomain: asked.devDomain } }),
        isProblem('conflict', /Another server/),
      )
    })

    it('are never this machine, its neighbours or no machine at all', async () => {
      const hosts = ['127.0.0.1', '::1', '0.0.0.0', '169.254.169.254', '::ffff:127.0.0.1', 'localhost', 'a.localhost']
      for (const sshHost of hosts) {
        const body = { ...asked, name: 'other', devDomain: 'other.localhost', sshHost }
        await assert.rejects(
          full().serverCreate({ body }),
          isProblem('validation_error', /address of another server/),
          sshHost,
        )
      }
      for (const sshHost of [
        '2130706433',
        '0x7f.1',
        '127.1',
        'localhost.',
        '-oProxyCommand=x',
        'a b',
        'UPPER.example',
      ]) {
        const body = { ...asked, name: 'other', devDomain: 'other.localhost', sshHost }
        await assert.rejects(full().serverCreate({ body }), isProblem('validation_error', /^SSH host must be/), sshHost)
      }
    })

    it('change, except for the connection to the own machine', async () => {
      const changed = await full().serverUpdate({
        params: { id: 2 },
        body: { name: 'web one', sshPort: 2222, publicIp: '203.0.113.5', acmeEmail: 'ops@example.com' },
      })
      assert.equal(changed.name, 'web one')
      assert.equal(changed.sshPort, 2222)
      assert.equal(changed.publicIp, '203.0.113.5')
      assert.equal(changed.sshHost, asked.sshHost)
      const own = { params: { id: 1 }, body: { sshHost: 'web9.invalid' } }
      await assert.rejects(full().serverUpdate(own), isProblem('validation_error', /panel runs on this server/))
      assert.equal(
        (await full().serverUpdate({ params: { id: 1 }, body: { devDomain: 'dev.localhost' } })).devDomain,
        'dev.localhost',
      )
    })

    it('that do not answer are an answer, too', async () => {
      const info = await panel.as('read-only').serverInfo({ params: { id: 2 }, query: {} })
      assert.equal(info.reachable, false)
      assert.equal(info.os, null)
      assert.match(info.problem ?? '', /can't reach .*: its name (?:does not resolve|could not be looked up)$/)
      const { ok } = await panel.as('manage').serverTest({ params: { id: 2 } })
      assert.equal(ok, false)
      await assert.rejects(
        full().serverStorage({ params: { id: 2 }, query: {} }),
        isProblem('bad_gateway', /can't reach/),
      )
    })

    it('tell where backups are and whether they could be elsewhere', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'fleetpress-storage-'))
      try {
        const ask = (path: string) => full().serverStorage({ params: { id: 1 }, query: { path } })
        assert.equal((await ask(`${folder}/new`)).candidate?.ok, false, '/tmp belongs to the system')
        for (const path of ['/srv/fleetpress/backups/inside', '/srv', '/etc/backups', '/proc/backups']) {
          assert.equal((await ask(path)).candidate?.ok, false, path)
        }
        const { backupRoot, candidate } = await ask('/srv/other-backups')
        assert.equal(backupRoot.path, '/srv/fleetpress/backups')
        assert.deepEqual([candidate?.ok, candidate?.problem], [true, null])
        assert.ok((candidate?.freeBytes ?? 0) > 0)
        writeFileSync(join(folder, 'file'), 'x')
        for (const access of ['read-only', 'manage'] as const) {
          const asked = { params: { id: 1 }, query: { path: '/etc/shadow' } }
          await assert.rejects(panel.as(access).serverStorage(asked), isProblem('forbidden', /required for path/))
          assert.equal((await panel.as(access).serverStorage({ params: { id: 1 }, query: {} })).candidate, null)
        }
      } finally {
        rmSync(folder, { recursive: true })
      }
    })

    it('are forgotten, but never server 1, and their number is not used again', async () => {
      await assert.rejects(
        full().serverDelete({ params: { id: 1 }, query: { force: 'true' } }),
        isProblem('conflict', /panel runs on this server/),
      )
      assert.deepEqual(await full().serverDelete({ params: { id: 2 }, query: {} }), { ok: true })
      await assert.rejects(full().serverGet({ params: { id: 2 } }), isProblem('not_found', /no server 2/))
      await assert.rejects(full().serverDelete({ params: { id: 2 }, query: {} }), isProblem('not_found', /no server 2/))
      assert.equal((await full().serverCreate({ body: asked })).server.id, 3)
    })

    it('are left alone while a job works on them, unless forced', async () => {
      const { job } = await full().serverReprovision({ params: { id: 3 }, body: {} })
      await assert.rejects(full().serverDelete({ params: { id: 3 }, query: {} }), isProblem('conflict', /1 jobs/))
      await full().serverDelete({ params: { id: 3 }, query: { force: 'true' } })
      const after = await full().jobGet({ params: { id: job.id }, query: {} })
      assert.equal(after.job.status, 'canceled')
    })

    it('are brought up to date by jobs that a change of the settings answers', async () => {
      await changeServer(panel.foundation.database.db, 1, { status: 'ready' })
      const typesAfter = async (body: Record<string, Record<string, unknown>>) =>
        (await full().settingsUpdate({ body })).jobs.map(({ type }) => type)
      assert.deepEqual(await typesAfter({ jobs: { retentionDays: 31 } }), [])
      assert.deepEqual(await typesAfter({ siteLimits: { processes: 300 } }), ['server.applySiteLimits'])
      assert.deepEqual(await typesAfter({ edge: { trustedProxies: ['10.0.0.0/8'] } }), ['server.provision'])
    })

    it('say on Home what is wrong with them, with the way to fix it', async () => {
      const { database } = panel.foundation
      await changeServer(database.db, 1, { status: 'failed', problem: 'no disk', provisioned_at: 1, last_seen_at: 1 })
      const sample = { ...NOTHING_READ, diskTotalBytes: 1000, diskUsedBytes: 950 }
      latestOf(database).set(1, { reachable: true, at: 1, sample, siteDiskBytes: new Map() })
      const { attention } = await panel.as('read-only').overview()
      assert.deepEqual(
        Object.fromEntries(attention.filter(({ id }) => id.endsWith(':1')).map(({ id, action }) => [id, action?.to])),
        {
          'server-failed:1': '/servers/1/settings?ask=set-up',
          'server-silent:1': '/servers/1',
          'server-disk:1': '/servers/1/storage',
        },
      )
    })

    it('say on Home when their CPU was above 90 % for 10 minutes, and which site uses the most', async () => {
      const { database } = panel.foundation
      const busy = { ...UNUSED, siteSlug: 'bakery', cpuShare: 0.8 }
      const sample = { ...NOTHING_READ, cpuShare: 0.95, containers: [{ ...UNUSED, siteSlug: 'harbor' }, busy] }
      latestOf(database).set(1, { reachable: true, at: 1, sample, siteDiskBytes: new Map() })
      const told = async () =>
        (await panel.as('read-only').overview()).attention.find(({ id }) => id === 'server-cpu:1')
      const minutesAgo = async (minutes: number, cpuShare: number) => {
        const at = Date.now() - minutes * 60_000
        await insertSamples(database.db, toRows(1, at, { ...sample, cpuShare }, new Map()))
      }
      for (let minutes = 1; minutes <= 8; minutes += 1) await minutesAgo(minutes, 0.91)
      assert.equal(await told(), undefined)
      await minutesAgo(9, 0.5)
      await minutesAgo(10, 0.91)
      assert.equal(await told(), undefined)
      await deleteSamples(database.db, 'server:1')
      for (let minutes = 0; minutes <= 10; minutes += 1) await minutesAgo(minutes, 0.91)
      const item = await told()
      assert.equal(item?.severity, 'warning')
      assert.match(item?.detail ?? '', /above 90 % for 10 minutes\. bakery uses the most: 80 %\./)
      await deleteSamples(database.db, 'server:1')
    })

    it('say on Home which part of their stack is down, and nothing of one that only a newer panel knows', async () => {
      const { database } = panel.foundation
      const isDown = async (stackVersion: string | null, parts: Record<string, boolean>) => {
        await changeServer(database.db, 1, { status: 'ready', stack_version: stackVersion })
        const containers = Object.entries(parts).map(([stackPart, up]) => ({ ...UNUSED, stackPart, up }))
        const sample = { ...NOTHING_READ, containers }
        latestOf(database).set(1, { reachable: true, at: 1, sample, siteDiskBytes: new Map() })
        const { attention } = await panel.as('read-only').overview()
        const found = attention.filter(({ id }) => id.startsWith('server-parts:1:'))
        assert.ok(found.every(({ severity }) => severity === 'critical'))
        return found.map(({ title }) => title)
      }
      const current = await stackVersion(panel.world.scope(systemActor('test')))
      const all = { database: true, 'database-proxy': true, edge: true, relay: true }
      const name = (await full().serverGet({ params: { id: 1 } })).name
      assert.deepEqual(await isDown(current, all), [])
      assert.deepEqual(await isDown(current, { ...all, database: false }), [`The database of ${name} is down`])
      assert.deepEqual(await isDown(current, { database: true, 'database-proxy': true, relay: true }), [
        `The edge of ${name} is down`,
      ])
      assert.deepEqual(await isDown(current, { ...all, database: false, 'database-proxy': false }), [
        `The database and database proxy of ${name} are down`,
      ])
      assert.deepEqual(await isDown('older', { database: true, edge: true }), [])
    })
  })
}
