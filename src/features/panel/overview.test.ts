import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { features } from '#app/features.ts'
import { takeSnapshot } from '#app/local.ts'
import { VERSION } from '#app/version.ts'
import { hashNewPassword, insertAdmin, newAdmin } from '#features/admins/index.ts'
import { contract, type Reply } from '#platform/contract/endpoint.ts'
import { defineFeature, type Feature } from '#platform/feature.ts'
import { type Browser, ENGINES, OWNER, type TestPanel, testPanel } from '#test/support/panel.ts'
import type { Attention, panel as panelContract } from './contract.ts'

type Overview = Reply<(typeof panelContract)['overview']>

const HOUR_MS = 3_600_000

const attention = (id: string, severity: Attention['severity']): Attention => ({
  id,
  severity,
  title: id,
  detail: '',
  action: null,
})

const part = (name: string, items: Attention[]) =>
  defineFeature({
    name,
    uses: ['panel'],
    contract: contract({}),
    routes: {},
    hooks: { overview: async () => ({ counts: { [name]: items.length }, attention: items }) },
  }) as unknown as Feature

for (const engineName of ENGINES) {
  describe(`health and overview on ${engineName}`, { timeout: 300_000 }, () => {
    const clock = { now: Date.now() }
    const smoke = attention('smoke', 'warning')
    let panel: TestPanel
    before(async () => {
      const more = [part('one', [attention('note', 'info'), attention('fire', 'critical')]), part('two', [smoke])]
      panel = await testPanel({ engineName, features: [...features, ...more], now: () => clock.now })
    })
    after(() => panel.stop())

    it('health answers everyone', async () => {
      const answer = await panel.ask('/api/health')
      assert.equal(answer.status, 200)
      const shown = { ok: true, version: VERSION, databaseWritable: true, jobsRunning: true }
      assert.deepEqual(answer.json(), { ...shown, diskFreeBytes: null, lastSnapshotAt: null })
    })

    it('health tells who may read how much room there is and when the last snapshot was taken', async () => {
      await panel.engine.start()
      assert.ok(((await panel.as('read-only').health()).diskFreeBytes ?? 0) > 0)
      const before = Date.now()
      await takeSnapshot(panel.config, () => {})
      assert.ok(((await panel.as('read-only').health()).lastSnapshotAt ?? 0) >= before - 1)
      const metrics = await panel.ask('/metrics', { headers: { authorization: `Bearer ${panel.token['read-only']}` } })
      for (const line of ['fleetpress_database_writable 1', 'fleetpress_job_engine_alive 1'])
        assert.ok(metrics.text.includes(`${line}\n`), line)
      for (const name of ['fleetpress_disk_free_bytes', 'fleetpress_last_snapshot_timestamp_seconds'])
        assert.match(metrics.text, new RegExp(`^${name} [1-9]`, 'm'))
    })

    it('overview puts what the features say together, the most important first', async () => {
      const answer = await panel.as('read-only').overview()
      const { one, two } = answer.counts
      assert.deepEqual({ one, two }, { one: 2, two: 1 })
      assert.deepEqual(
        answer.attention.map(({ id }) => id),
        ['fire', 'smoke', 'note'],
      )
    })

    it('attentionSnooze hides an item from one admin until it ends, gets worse, or is shown again', async () => {
      const guest = { email: 'gesa@example.com', name: 'Gesa', owner: false, now: Date.now() }
      const passwordHash = await hashNewPassword(OWNER.password)
      await insertAdmin(panel.foundation.database.db, newAdmin({ ...guest, passwordHash }))
      const [owner, other] = [await panel.owner(), await panel.signIn(guest.email, OWNER.password)]
      const seenBy = async (browser: Browser) => {
        const { attention, snoozed } = (await panel.askAs(browser, '/api/overview')).json() as Overview
        return { shown: attention.map(({ id }) => id), snoozed: snoozed.map(({ id, until }) => [id, until]) }
      }
      const snooze = (id: string, body: unknown) =>
        panel.askAs(owner, `/api/overview/snoozed/${id}`, { method: 'PUT', body })
      const answer = await snooze('smoke', { hours: 2 })
      const { until } = answer.json() as { until: number }
      assert.equal(until, clock.now + 2 * HOUR_MS)
      assert.deepEqual(await seenBy(owner), { shown: ['fire', 'note'], snoozed: [['smoke', until]] })
      assert.deepEqual(await seenBy(other), { shown: ['fire', 'smoke', 'note'], snoozed: [] })

      smoke.severity = 'critical'
      assert.deepEqual((await seenBy(owner)).snoozed, [])
      smoke.severity = 'info'
      assert.equal((await seenBy(owner)).snoozed.length, 1)
      smoke.severity = 'warning'

      clock.now = until
      assert.deepEqual(await seenBy(owner), { shown: ['fire', 'smoke', 'note'], snoozed: [] })
      await snooze('smoke', { hours: 1 })
      assert.equal((await seenBy(owner)).snoozed.length, 1)
      const remove = () => panel.askAs(owner, '/api/overview/snoozed/smoke', { method: 'DELETE' })
      assert.equal((await remove()).status, 200)
      assert.deepEqual((await seenBy(owner)).snoozed, [])
      assert.equal((await remove()).status, 404)
    })

    it('attentionSnooze refuses what is not on Home, has no end, or comes with a key', async () => {
      const owner = await panel.owner()
      const snooze = async (id: string, body: unknown) =>
        (await panel.askAs(owner, `/api/overview/snoozed/${id}`, { method: 'PUT', body })).status
      assert.equal(await snooze('rain', { hours: 1 }), 404)
      assert.equal(await snooze('smoke', {}), 400)
      assert.equal(await snooze('smoke', { hours: 721 }), 400)
      assert.equal(await snooze('%20', { hours: 1 }), 400)
      const headers = { authorization: `Bearer ${panel.token.full}` }
      const byKey = await panel.ask('/api/overview/snoozed/smoke', { method: 'PUT', headers, body: { hours: 1 } })
      assert.equal(byKey.status, 403)
      const rows = await panel.foundation.database.db.selectFrom('attention_snooze').selectAll().execute()
      assert.deepEqual(rows, [])
    })

    it('overview answers no one without a key or a session', async () => {
      assert.equal((await panel.ask('/api/overview')).status, 401)
      assert.equal((await panel.askAs(await panel.owner(), '/api/overview')).status, 200)
    })
  })
}
