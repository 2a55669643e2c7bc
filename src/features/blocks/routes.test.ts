import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { insertServer } from '#features/servers/server-store.ts'
import { insertSite } from '#features/sites/site-store.ts'
import { newId } from '#platform/db/id.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import { insertDecision } from './detection/decision-store.ts'
import { deleteLoad, keepLoad } from './load/load-store.ts'

const DAY_MS = 86_400_000

for (const engineName of ENGINES)
  describe(`blocked addresses on ${engineName}`, { timeout: 120_000 }, () => {
    let panel: TestPanel
    before(async () => {
      panel = await testPanel({ engineName })
      await insertSite(panel.foundation.database.db, siteRow('bakery'), ['bakery.localhost'])
    })
    after(() => panel.stop())
    const read = () => panel.as('read-only')
    const full = () => panel.as('full')
    const block = (body: Parameters<ReturnType<typeof full>['securityBlockCreate']>[0]['body']) =>
      full().securityBlockCreate({ body })
    const lift = (id: string) => full().securityBlockLift({ params: { id } })
    const check = (address: string) => read().securityCheck({ query: { address } })
    const list = (query: { state?: 'active' | 'history'; q?: string; limit?: string; offset?: string }) =>
      read().securityBlockList({ query })
    const count = async () => (await list({})).counts

    it('are blocked in one spelling, listed, found and lifted', async () => {
      const one = await block({ address: '203.0.113.9', minutes: 60, note: 'Guessing passwords' })
      assert.deepEqual(
        [one.address, one.siteSlug, one.note, one.source, one.reason, one.state, one.liftedAt],
        ['203.0.113.9', null, 'Guessing passwords', 'admin', null, 'active', null],
      )
      assert.equal((one.expiresAt ?? 0) - one.createdAt, 60 * 60_000)
      const range = await block({ address: '2001:DB8:0:0::7/48', minutes: null, siteSlug: 'bakery' })
      assert.deepEqual([range.address, range.expiresAt, range.siteSlug], ['2001:db8::/48', null, 'bakery'])
      assert.deepEqual(await count(), { active: 2, history: 0 })
      const ids = async (q: string) => (await list({ q })).items.map(({ id }) => id)
      assert.deepEqual(await ids('GUESSING'), [one.id])
      assert.deepEqual(await ids('bakery'), [range.id])
      assert.deepEqual(await ids('2001:db8'), [range.id])
      assert.deepEqual(await ids('%'), [])
      assert.deepEqual((await list({ limit: '1', offset: '1' })).items, [one])
      const lifted = await lift(one.id)
      assert.deepEqual([lifted.state, lifted.liftedBy === null], ['lifted', false])
      assert.deepEqual((await list({ state: 'history' })).items, [lifted])
      await lift(range.id)
      assert.deepEqual(await count(), { active: 0, history: 2 })
    })

    it('are refused with the reason when they are never blocked, or are no addresses', async () => {
      const { db } = panel.foundation.database
      const server = {
        name: 'web-7',
        ssh_host: '198.51.100.7',
        public_ip: '2001:db8:7::7',
        dev_domain: 'web-7.localhost',
      }
      const [own] = await db.selectFrom('server').selectAll().execute()
      await insertServer(db, { ...(own ?? assert.fail()), ...server })
      await full().settingsUpdate({ body: { edge: { trustedProxies: ['198.18.4.0/24'] } } })
      const refused = [
        ['127.0.0.1', 'servers'],
        ['127.0.0.0/8', 'servers'],
        ['198.51.100.7', 'servers'],
        ['198.51.100.0/24', 'servers'],
        ['2001:db8:7::/64', 'servers'],
        ['198.18.4.9', 'proxies'],
      ] as const
      for (const [address, list] of refused)
        await assert.rejects(block({ address }), ({ code, details }) => {
          assert.deepEqual([code, details.list], ['conflict', list], address)
          return true
        })
      const wrong = [
        '0.0.0.0/0',
        '10.0.0.0/7',
        '::/0',
        '::ffff:1.2.3.4',
        '01.2.3.4',
        '1.2.3',
        'example.com',
        '1.2.3.4/33',
      ]
      for (const address of wrong) await assert.rejects(block({ address }), { code: 'validation_error' }, address)
      for (const minutes of [0, -1, 1.5, 1e9])
        await assert.rejects(block({ address: '203.0.113.1', minutes }), { code: 'validation_error' })
      await assert.rejects(block({ address: '203.0.113.1', siteSlug: 'nowhere' }), { code: 'not_found' })
      assert.equal((await count()).active, 0)
    })

    it('are never those that admins used in the last 30 days', async () => {
      const { db } = panel.foundation.database
      const admin = { email: 'anna@example.com', name: 'Anna', disabled: 0, preferences: '{}', totp_last_step: 0 }
      await db
        .insertInto('admin')
        .values({
          ...admin,
          id: 'anna',
          owner: null,
          password_hash: null,
          totp_sealed: null,
          totp_pending_sealed: null,
          recovery_codes: '[]',
          created_at: 1,
          last_login_at: null,
        })
        .execute()
      const used = (address: string, days: number) => ({
        admin_id: 'anna',
        address,
        last_used_at: Date.now() - days * DAY_MS,
      })
      await db
        .insertInto('known_address')
        .values([used('203.0.113.201', 29), used('2001:db8:1:2::/64', 1), used('203.0.113.203', 31)])
        .execute()
      const { admins } = await read().securityNeverBlockList()
      assert.deepEqual(
        admins.map(({ address, adminName }) => [address, adminName]),
        [
          ['2001:db8:1:2::/64', 'Anna'],
          ['203.0.113.201', 'Anna'],
        ],
      )
      await assert.rejects(
        block({ address: '203.0.113.192/26' }),
        /203\.0\.113\.201 was used by Anna in the last 30 days/,
      )
      await assert.rejects(block({ address: '2001:db8:1:2::9' }), { code: 'conflict' })
      await lift((await block({ address: '203.0.113.203' })).id)
    })

    it('can be kept from ever being blocked, which lifts what is blocked', async () => {
      const inside = await block({ address: '203.0.113.20' })
      const around = await block({ address: '203.0.113.0/25', siteSlug: 'bakery' })
      const other = await block({ address: '203.0.114.1' })
      const body = { address: '203.0.113.16/28', note: 'Our office' }
      const never = await full().securityNeverBlockCreate({ body })
      assert.deepEqual([never.address, never.note, never.lifted], ['203.0.113.16/28', 'Our office', 2])
      assert.deepEqual(
        (await list({})).items.map(({ id }) => id),
        [other.id],
      )
      for (const { id } of [inside, around]) await assert.rejects(lift(id), { code: 'conflict' })
      await assert.rejects(full().securityNeverBlockCreate({ body }), { code: 'conflict' })
      await assert.rejects(block({ address: '203.0.113.17' }), /on the never-block list \(Our office\)/)
      assert.deepEqual(
        (await read().securityNeverBlockList()).items.map(({ id }) => id),
        [never.id],
      )
      const found = await check('203.0.113.17')
      assert.deepEqual([found.verdict, found.protectedBy?.id], ['never_blocked', never.id])
      await full().securityNeverBlockDelete({ params: { id: never.id } })
      await assert.rejects(full().securityNeverBlockDelete({ params: { id: never.id } }), { code: 'not_found' })
      await lift((await block({ address: '203.0.113.17' })).id)
      await lift(other.id)
    })

    it('are not blocked twice, and lifted once', async () => {
      const first = await block({ address: '203.0.113.40', minutes: 5 })
      await assert.rejects(block({ address: '203.0.113.40' }), { code: 'conflict', details: { id: first.id } })
      const forSite = await block({ address: '203.0.113.40', siteSlug: 'bakery' })
      await lift(first.id)
      await assert.rejects(lift(first.id), { code: 'conflict' })
      await lift(forSite.id)
      await assert.rejects(lift('01890000-0000-7000-8000-000000000000'), { code: 'not_found' })
    })

    it('are explained: whether, where, why and until when', async () => {
      const none = await check('203.0.113.50')
      assert.deepEqual([none.verdict, none.blocks, none.protectedBy, none.expiresAt], ['allowed', [], null, null])
      const forSite = await block({ address: '203.0.113.50', siteSlug: 'bakery' })
      assert.equal((await check('203.0.113.50')).verdict, 'blocked_for_sites')
      const range = await block({ address: '203.0.113.48/29', minutes: 10, note: 'Scanner' })
      const found = await check('203.0.113.50')
      assert.deepEqual([found.verdict, found.expiresAt], ['blocked', null])
      assert.deepEqual(
        found.blocks.map(({ id }) => id),
        [range.id, forSite.id],
      )
      assert.match(found.message, /blocked on every server by the block of 203\.0\.113\.48\/29/)
      assert.equal((await check('203.0.113.51')).expiresAt, range.expiresAt)
      assert.equal((await check('203.0.113.0/24')).verdict, 'allowed')
      assert.equal((await check('127.0.0.1')).verdict, 'never_blocked')
      await assert.rejects(check('nobody'), { code: 'validation_error' })
      for (const { id } of [forSite, range]) await lift(id)
    })

    it('end by themselves', async () => {
      const { db } = panel.foundation.database
      const short = await block({ address: '203.0.113.60', minutes: 1 })
      await db
        .updateTable('address_block')
        .set({ expires_at: Date.now() - 1 })
        .where('id', '=', short.id)
        .execute()
      const [found] = (await list({ state: 'history', q: '203.0.113.60' })).items
      assert.equal(found?.state, 'expired')
      assert.equal((await check('203.0.113.60')).verdict, 'allowed')
      await lift((await block({ address: '203.0.113.60' })).id)
    })

    it('say for each server whether it enforces them', async () => {
      const overview = await read().securityFirewallGet()
      assert.deepEqual(
        overview.items.map(({ serverName, state, isCurrent, loadedAt }) => [serverName, state, isCurrent, loadedAt])[1],
        ['web-7', 'not_installed', false, null],
      )
      assert.equal(overview.behindProxies, true)
      assert.deepEqual(await full().securityFirewallSync(), overview)
    })

    it('are named on Home: servers without a firewall, and attacks under way', async () => {
      const { db } = panel.foundation.database
      const named = async () =>
        (await read().overview()).attention
          .filter(({ id }) => /^(?:server-firewall|attacks)/.test(id))
          .map(({ id, severity, title, detail }) => [id, severity, title, detail])
      assert.deepEqual(await named(), [])
      const { id: serverId, name } = await db
        .selectFrom('server')
        .selectAll()
        .where('name', '=', 'web-7')
        .executeTakeFirstOrThrow()
      const setUp = (at: number | null) =>
        db.updateTable('server').set({ provisioned_at: at }).where('id', '=', serverId)
      await setUp(Date.now()).execute()
      await keepLoad(db, {
        server_id: serverId,
        state: 'off',
        version: 'some',
        network_entries: 0,
        edge_entries: 0,
        loaded_at: Date.now(),
        problem: 'nft refused the new table',
      })
      const decide = (index: number, outcome: 'watched' | 'blocked', at = Date.now()) =>
        insertDecision(db, {
          id: newId(),
          at,
          address: `203.0.113.${index}`,
          reason: 'failed-logins',
          outcome,
          why: 'Too much.',
          count: 12,
          window_minutes: 10,
          sites: '["bakery"]',
          server_id: serverId,
          block_id: null,
          requests: '[]',
        })
      await decide(1, 'watched')
      await decide(1, 'watched')
      await decide(2, 'watched', Date.now() - DAY_MS)
      for (const index of [10, 11, 12, 13]) await decide(index, 'blocked')
      const firewall = [
        `server-firewall:${serverId}`,
        'critical',
        `${name} doesn't block addresses`,
        'nft refused the new table',
      ]
      const watched =
        'Detection found 1 attacker within the last 15 minutes and only watches. Switch it to block to stop them.'
      const title = 'An attack on bakery is under way'
      assert.deepEqual(await named(), [firewall, ['attacks-under-way', 'warning', title, watched]])
      await decide(14, 'blocked')
      assert.deepEqual((await named())[2], [
        'attacks-blocked',
        'info',
        title,
        'Detection blocked 5 attackers on every server within the last 15 minutes.',
      ])
      await db.deleteFrom('block_decision').execute()
      await deleteLoad(db, serverId)
      await setUp(null).execute()
      assert.deepEqual(await named(), [])
    })

    it('show what detection does', async () => {
      const before = await read().securityDetectionGet()
      assert.deepEqual([before.mode, before.watched, before.decisions, before.following], ['off', [], [], []])
      await full().settingsUpdate({ body: { detection: { mode: 'watch', failedLogins: 3 } } })
      const after = await read().securityDetectionGet()
      assert.deepEqual([after.mode, after.limits['failed-logins']], ['watch', 3])
      await full().settingsUpdate({ body: { detection: { mode: 'off' } } })
    })
  })
