import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { followLog } from '#features/sites/traffic/follow-log.ts'
import { until } from '#test/fleet/until.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { WordpressPerson } from '#test/support/wordpress-person.ts'
import type { Level } from './contract.ts'
import { listRefused } from './refused/refused-store.ts'

const SLUG = 'guarded'
const params = { slug: SLUG }

/** What PHP sees before WordPress, and a site that tries to get rid of it. */
const LOOK = `<?php echo json_encode([
  'editor' => defined('DISALLOW_FILE_EDIT'),
  'installs' => defined('DISALLOW_FILE_MODS'),
]);`
const PREPARE = `cd /var/www/html && mkdir -p wp-content/uploads
echo "$LOOK" > look.php && echo "$LOOK" > wp-content/uploads/look.php
ln -sf wp-content/uploads/look.php linked.php
printf 'auto_prepend_file=none\\n' | tee .user.ini > wp-content/uploads/.user.ini`

/** nginx finds it too large; nothing else is wrong with it. */
const TOO_LARGE = '(?:abcdefghijk){1000}'.repeat(6)

describe('the protection of a site', { timeout: 20 * 60_000 }, () => {
  let house: SiteHouse
  let person: WordpressPerson
  const manage = () => house.panel.as('manage')
  const server = () => house.servers[0] ?? assert.fail()
  const change = (body: NonNullable<Parameters<ReturnType<typeof manage>['siteSecurityUpdate']>[0]['body']>) =>
    manage().siteSecurityUpdate({ params, body })
  const setLevel = (level: Level) => change({ level, overrides: {} })
  const statusOf = async (path: string, headers = {}) => (await person.ask(path, { headers })).status
  const look = async (path = '/look.php') => {
    const { status, text } = await person.ask(path)
    return status === 200 ? (JSON.parse(text) as { editor: boolean; installs: boolean }) : status
  }

  before(async () => {
    house = await siteHouse(1)
    const { url } = await house.create(SLUG)
    person = new WordpressPerson(server().address, url)
    const inSite = ['docker', 'exec', '-e', `LOOK=${LOOK}`, `fleetpress-site-${SLUG}`, 'sh', '-euc', PREPARE]
    const { exitCode, stderr } = await server().exec(inSite)
    assert.equal(exitCode, 0, stderr)
  })
  after(() => house?.[Symbol.asyncDispose]())

  it('is Standard for a new site', async () => {
    assert.equal(await statusOf('/.env'), 403)
    assert.equal(await statusOf('/'), 200)
    assert.equal((await person.ask('/')).headers['x-content-type-options'], 'nosniff')
    assert.deepEqual(await look(), { editor: true, installs: false })
  })

  it('changes at once, without a lost request', async () => {
    const over = new AbortController()
    const seen = new Map<number, number>()
    const visiting = (async () => {
      while (!over.signal.aborted) {
        const status = await statusOf('/xmlrpc.php?rsd')
        seen.set(status, (seen.get(status) ?? 0) + 1)
      }
    })()
    // Many would meet the limit of Standard.
    await change({ level: 'standard', overrides: { limits: { xmlrpc: null } } })
    for (const [level, expected] of [
      ['strict', 403],
      ['off', 200],
      ['strict', 403],
    ] as const) {
      const { effectiveLevel } = await setLevel(level)
      assert.deepEqual([effectiveLevel, await statusOf('/xmlrpc.php?rsd')], [level, expected])
    }
    over.abort()
    await visiting
    assert.deepEqual(
      [...seen.keys()].filter(status => ![200, 403, 429].includes(status)),
      [],
    )
    assert.match((await person.ask('/')).headers['strict-transport-security'] ?? '', /max-age=31536000/)
  })

  it('reaches into the site, which cannot take it back', async () => {
    await setLevel('strict')
    assert.deepEqual(await look(), { editor: true, installs: true })
    // The edge lets it through; the site itself refuses it.
    await change({ level: 'strict', overrides: { rules: { uploadsPhp: 'allowed' } } })
    assert.equal(await look('/wp-content/uploads/look.php'), 403)
    assert.equal(await look('/linked.php'), 403)
    await setLevel('off')
    assert.deepEqual(await look('/wp-content/uploads/look.php'), { editor: false, installs: false })
    assert.deepEqual(await look('/linked.php'), { editor: false, installs: false })
  })

  it('lists users only for those who are signed in, whatever a visitor says', async () => {
    const lie = { cookie: 'wordpress_logged_in_x=ada' }
    assert.equal(await statusOf('/?rest_route=/wp/v2/users', lie), 200, 'off')
    await setLevel('standard')
    assert.equal(await statusOf('/?rest_route=/wp/v2/users'), 403)
    assert.equal(await statusOf('/?rest_route=/wp/v2/users', lie), 403)
    assert.equal(await statusOf('/?rest_route=/wp/v2/types', lie), 200)
  })

  it('stays as it was when nginx refuses a rule', async () => {
    const before = await setLevel('strict')
    const conditions = [{ field: 'path' as const, operator: 'pattern' as const, value: TOO_LARGE }]
    const customRules = [{ action: 'block' as const, match: 'all' as const, conditions }]
    await assert.rejects(change({ level: 'standard', customRules }), { code: 'validation_error' })
    const { changedAt, ...after } = await manage().siteSecurityGet({ params })
    assert.deepEqual({ ...after, changedAt: before.changedAt }, before)
    assert.ok(changedAt)
    assert.equal(await statusOf('/xmlrpc.php'), 403)
    const { servers } = await manage().securitySync()
    assert.deepEqual(
      servers.map(({ problem }) => problem),
      servers.map(() => null),
    )
  })

  it('tells what was refused', async () => {
    await statusOf('/.git/config', { 'user-agent': '<script>"' })
    const scope = house.panel.world.scope(systemActor('test'))
    const isKept = async () => {
      await followLog(scope, { serverId: house.ids[0] ?? 0 })
      const kept = await listRefused(scope.db, SLUG, { limit: 1000, now: scope.now() })
      return kept.some(({ path }) => path === '/.git/config')
    }
    await until('the log', isKept, 100_000)
    const { items, counts7d } = await manage().siteSecurityBlocked({ params, query: { rule: 'sensitive-files' } })
    assert.deepEqual([items[0]?.userAgent, items[0]?.status, items[0]?.method], ['<script>"', 403, 'GET'])
    const conditions = [{ field: 'path' as const, operator: 'begins' as const, value: '/.git' }]
    const customRules = [{ action: 'block' as const, match: 'all' as const, conditions }]
    const { requests, refused } = await manage().siteSecurityDryRun({ params, body: { customRules } })
    assert.ok(refused === 1 && requests > 20, `${refused} of ${requests}`)
    assert.ok(counts7d.some(({ rule, count }) => rule === 'xmlrpc' && count > 1))
  })

  it('goes with the settings of the fleet', async () => {
    await change({ level: null, overrides: {}, customRules: [] })
    await house.panel.as('full').settingsUpdate({ body: { protection: { defaultLevel: 'off' } } })
    assert.equal(await statusOf('/xmlrpc.php?rsd'), 200)
    assert.deepEqual(await look(), { editor: false, installs: false })
  })
})
