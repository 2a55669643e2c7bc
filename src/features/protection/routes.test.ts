import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { followLog } from '#features/sites/traffic/follow-log.ts'
import { ENGINES, newConfig, type TestPanel, testPanel } from '#test/support/panel.ts'
import { LEVEL_ROWS } from './contract.ts'
import { dryRun } from './dry-run/dry-run.ts'
import type { TriedRule } from './dry-run/try-rules.ts'
import { edgePartsOf } from './edge-part.ts'
import { protectionOf } from './index.ts'
import { deleteOldRefused, ROWS_PER_MINUTE } from './refused/refused-store.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = 1_750_000_000_000 - (1_750_000_000_000 % DAY) + DAY / 2
const params = { slug: 'shop' }
const block = { action: 'block', match: 'all' } as const
const onPath = (value: string) => ({ field: 'path', operator: 'begins', value }) as const

for (const engineName of ENGINES) {
  describe(`protection on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let folder: string
    let now = NOW
    const db = () => panel.foundation.database.db
    const scope = () => panel.world.scope(systemActor('test'))
    const manage = () => panel.as('manage')
    const show = () => panel.as('read-only').siteSecurityGet({ params })
    const blocked = (query = {}) => panel.as('read-only').siteSecurityBlocked({ params, query })
    const create = (slug: string, protection?: 'strict') =>
      manage().siteCreate({
        body: {
          title: slug,
          slug,
          domainMode: 'dev',
          adminUser: 'ada',
          adminEmail: 'ada@example.com',
          ...(protection && { protection }),
        },
      })
    const log = (count: number, part: Record<string, unknown> = {}) => {
      const line = {
        time: (now / 1000).toFixed(3),
        site: 'shop',
        method: 'GET',
        uri: '/.env?key=secret',
        status: '403',
        bytes: '100',
        address: '192.0.2.1',
        userAgent: 'curl/8',
        cache: '',
        blockedBy: 'sensitive-files',
        ...part,
      }
      appendFileSync(join(folder, 'access.json'), `${JSON.stringify(line)}\n`.repeat(count))
    }
    const read = () => followLog(scope(), { serverId: 1, folder })

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'fleetpress-refused-'))
      panel = await testPanel({ engineName, now: () => now, config: await newConfig(engineName) })
      await db().updateTable('server').set({ provisioned_at: 1 }).execute()
      await create('shop')
      await create('safe', 'strict')
      // Otherwise the panel would soon read the log of this machine.
      await db().updateTable('server').set({ provisioned_at: null }).execute()
      await db()
        .updateTable('site')
        .set({ created_at: NOW - 400 * DAY })
        .execute()
    })
    after(async () => {
      await panel?.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    it('follows the fleet until a site has a level of its own', async () => {
      const { level, effectiveLevel, defaultLevel, overrides, rows, customRules } = await show()
      assert.deepEqual(
        [level, effectiveLevel, defaultLevel, overrides, customRules],
        [null, 'standard', 'standard', {}, []],
      )
      assert.deepEqual(rows, LEVEL_ROWS.standard)
      const safe = await panel.as('read-only').siteSecurityGet({ params: { slug: 'safe' } })
      assert.deepEqual([safe.level, safe.rows], ['strict', LEVEL_ROWS.strict])
      await assert.rejects(panel.as('read-only').siteSecurityGet({ params: { slug: 'nope' } }), { code: 'not_found' })
    })

    it('changes only what is sent', async () => {
      const rule = { ...block, conditions: [onPath('/private/')], note: 'Only for us' }
      const first = await manage().siteSecurityUpdate({ params, body: { level: 'strict', customRules: [rule] } })
      const id = first.customRules[0]?.id ?? assert.fail()
      assert.deepEqual(first.customRules, [{ ...rule, id, enabled: true }])
      const body = { overrides: { rules: { xmlrpc: 'limited' as const }, limits: { login: null } } }
      const second = await manage().siteSecurityUpdate({ params, body })
      assert.deepEqual([second.level, second.customRules], ['strict', first.customRules])
      assert.deepEqual([second.rows.rules.xmlrpc, second.rows.limits.login], ['limited', null])
      assert.deepEqual(second.rows.limits.xmlrpc, LEVEL_ROWS.standard.limits.xmlrpc)
      const off = await manage().siteSecurityUpdate({ params, body: { level: 'off' } })
      assert.deepEqual([off.overrides, off.rows], [second.overrides, LEVEL_ROWS.off])
      const fleet = await manage().siteSecurityUpdate({ params, body: { level: null, overrides: {} } })
      assert.deepEqual([fleet.level, fleet.rows], [null, LEVEL_ROWS.standard])
      const again = await manage().siteSecurityUpdate({
        params,
        body: {
          customRules: [
            { ...block, conditions: [onPath('/a')], enabled: false },
            { ...rule, id },
          ],
        },
      })
      assert.deepEqual(
        again.customRules.map(({ id: own }) => own === id),
        [false, true],
      )
    })

    it('refuses what no edge could do, and changes nothing', async () => {
      const before = await show()
      const conditions: object[] = [
        { field: 'path', operator: 'pattern', value: '(a+)+' },
        { field: 'path', operator: 'pattern', value: '(?=a)' },
        { field: 'path', operator: 'contains', value: '' },
        { field: 'path', operator: 'contains', value: 'a\nb' },
        { field: 'address', operator: 'equals', value: '300.1.1.1' },
        { field: 'address', operator: 'begins', value: '192.0.2.1' },
        { field: 'header', operator: 'equals', value: 'a' },
        { field: 'header', name: 'a b', operator: 'equals', value: 'a' },
        { field: 'cookie', name: 'a-b', operator: 'equals', value: 'a' },
        { field: 'path', name: 'x', operator: 'equals', value: 'a' },
      ]
      const refused = (body: object) =>
        assert.rejects(
          manage().siteSecurityUpdate({ params, body }),
          { code: 'validation_error' },
          JSON.stringify(body),
        )
      for (const condition of conditions) await refused({ customRules: [{ ...block, conditions: [condition] }] })
      await refused({ customRules: [{ ...block, conditions: [] }] })
      await refused({ level: 'paranoid' })
      await refused({ overrides: { rules: { xmlrpc: 'maybe' } } })
      await refused({ overrides: { limits: { login: { requests: 0, per: 'second', burst: 1 } } } })
      const id = before.customRules[1]?.id ?? assert.fail()
      const twice = { ...block, id, conditions: [onPath('/a')] }
      await refused({ customRules: [twice, twice] })
      assert.deepEqual(await show(), before)
    })

    it('is part of what the edge serves', async () => {
      const parts = await edgePartsOf(scope(), { sites: [{ slug: 'safe' }, { slug: 'shop' }] })
      const { guard, headers } = parts.get('shop') ?? assert.fail()
      assert.deepEqual(headers, { 'X-Content-Type-Options': 'nosniff' })
      assert.match(guard?.rules[0]?.name ?? '', /^custom:/)
      assert.equal(guard?.limits.length, 4)
      assert.equal(Object.keys(parts.get('safe')?.headers ?? {}).length, 4)
    })

    it('follows the settings of the fleet', async () => {
      const change = (protection: Record<string, unknown>) => panel.as('full').settingsUpdate({ body: { protection } })
      const defaultOverrides = { rules: { wpCron: 'refused' } }
      await change({ defaultLevel: 'strict', defaultOverrides, xmlrpcNeverLimited: ['192.0.2.0/24'] })
      assert.deepEqual((await show()).rows, LEVEL_ROWS.strict)
      const parts = await edgePartsOf(scope(), { sites: [{ slug: 'shop' }] })
      assert.equal(parts.get('shop')?.guard?.limits.length, 5)
      await change({ defaultLevel: 'standard', defaultOverrides: JSON.stringify(defaultOverrides) })
      assert.equal((await show()).rows.rules.wpCron, 'refused')
      await assert.rejects(change({ defaultOverrides: '{"rules":{"x":1}}' }), { code: 'validation_error' })
      await assert.rejects(change({ xmlrpcNeverLimited: ['nonsense'] }), { code: 'validation_error' })
      await change({ defaultOverrides: {}, xmlrpcNeverLimited: [] })
      assert.equal((await protectionOf(scope(), 'shop')).level, 'standard')
    })

    it('keeps what was refused, and counts all of a flood', async () => {
      log(3, { blockedBy: '', status: '200' })
      log(2, { site: 'unknown' })
      log(1, { address: 'x', uri: '/broken' })
      log(2, { uri: '/<script>\u202e\u0000', userAgent: `<b>${'x'.repeat(500)}`, blockedBy: 'scanners' })
      await read()
      const { items, counts7d } = await blocked()
      assert.deepEqual(
        counts7d.map(({ rule, count }) => [rule, count]),
        [['scanners', 2]],
      )
      assert.deepEqual([items.length, items[0]?.path, items[0]?.userAgent.length], [2, '/<script>\ufffd\ufffd', 200])
      log(500)
      await read()
      log(500)
      await read()
      const flood = await blocked({ rule: 'sensitive-files', limit: 1000 })
      assert.equal(flood.items.length, ROWS_PER_MINUTE)
      assert.deepEqual(
        flood.counts7d.map(({ rule, count }) => [rule, count]),
        [
          ['sensitive-files', 1000],
          ['scanners', 2],
        ],
      )
      assert.deepEqual(flood.items[0], {
        id: flood.items[0]?.id,
        at: NOW,
        address: '192.0.2.1',
        rule: 'sensitive-files',
        status: 403,
        method: 'GET',
        path: '/.env',
        userAgent: 'curl/8',
      })
      now += DAY
      log(1, { status: '429', blockedBy: 'limit:login' })
      await read()
      const [latest] = (await blocked({ limit: 1 })).items
      assert.deepEqual([latest?.rule, latest?.status], ['limit:login', 429])
      assert.deepEqual(
        (await blocked()).counts7d[0]?.days.map(({ count }) => count),
        [0, 0, 0, 0, 0, 1000, 0],
      )
    })

    it('tries rules on what was logged', async () => {
      const visit = { host: 'shop.example', referer: '', status: '200', blockedBy: '' }
      log(7, { ...visit, uri: '/private//a%20b?x=1' })
      log(5, { ...visit, uri: '/', userAgent: 'BadBot/1', address: '2001:db8::5' })
      log(3, { ...visit, uri: '/private/', address: '203.0.113.9' })
      log(2, { ...visit, uri: '/private/', time: '1.000' })
      const on = { enabled: true, match: 'all' } as const
      const rules: TriedRule[] = [
        { ...on, action: 'allow', conditions: [{ field: 'address', operator: 'equals', value: '203.0.113.0/24' }] },
        { ...on, action: 'block', conditions: [onPath('/private/a b'), { ...onPath('/x'), not: true }] },
        { ...on, action: 'block', conditions: [{ field: 'userAgent', operator: 'pattern', value: '^bad(?:bot)+' }] },
        { ...on, enabled: false, action: 'block', conditions: [onPath('/')] },
      ]
      const site = { slug: 'shop', server_id: 1, created_at: 0 }
      const { since, ...tried } = await dryRun(scope(), site, rules, folder)
      assert.equal(since, now - DAY)
      assert.deepEqual(
        { ...tried, requests: 15 },
        {
          requests: 15,
          refused: 12,
          allowed: 3,
          rules: [3, 7, 5, 0],
          isComplete: true,
          isLogged: true,
        },
      )
      assert.equal((await show()).customRules.length, 2)
    })

    it('is shown for the whole fleet', async () => {
      const overview = await panel.as('read-only').securityOverview()
      assert.deepEqual(overview.levels, { off: 0, standard: 1, strict: 1 })
      const [safe, shop] = overview.sites
      assert.deepEqual(
        [safe?.slug, safe?.effectiveLevel, safe?.blocked7d, safe?.openFindings],
        ['safe', 'strict', 0, 0],
      )
      assert.deepEqual([shop?.slug, shop?.level, shop?.customRules, shop?.blocked7d], ['shop', null, 1, 1003])
      assert.deepEqual([overview.activeBlocks, overview.servers[0]?.sites, overview.servers[0]?.problem], [0, 2, null])
      const synced = await manage().securitySync()
      assert.deepEqual(synced.levels, overview.levels)
    })

    it('forgets after 7 days', async () => {
      now = NOW + 9 * DAY
      assert.deepEqual(await blocked(), { items: [], counts7d: [] })
      assert.ok((await deleteOldRefused(db(), now)) > 30)
      const left = await db().selectFrom('refused_count').selectAll().execute()
      assert.deepEqual(
        left.map(({ rule }) => rule),
        ['limit:login'],
      )
    })
  })
}
