import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { applyEdge } from '#drivers/nginx/apply-edge.ts'
import { edgeLimits } from '#drivers/nginx/edge-limits.ts'
import { edgeMain } from '#drivers/nginx/edge-main.ts'
import { edgeSite } from '#drivers/nginx/edge-site.ts'
import { until } from '#test/fleet/until.ts'
import { exampleDevSite } from '#test/support/nginx/example-values.ts'
import { type RealNginx, realNginx } from '#test/support/nginx/real-nginx.ts'
import { type Asked, ask } from '#test/support/nginx/requests.ts'
import { freePort } from '#test/support/ports.ts'
import { LEVELS, type Level, type Overrides } from '../levels/contract.ts'
import { resolve } from '../levels/resolve.ts'
import { parseRefused } from '../refused/parse-refused.ts'
import type { Condition, StoredRule } from './contract.ts'
import { guardOf, headersOf } from './guard.ts'

type Cell = [
  what: string,
  path: string,
  expected: [off: number, standard: number, strict: number],
  more?: Partial<Asked>,
]

const agent = (text: string) => ({ headers: { 'user-agent': text } })
const REFUSED: [number, number, number] = [200, 403, 403]
const FINE: [number, number, number] = [200, 200, 200]

const cells: Cell[] = [
  ...['/.env', '/.env.local', '/.git/config', '/a/.GIT/HEAD', '/.gitignore', '/%2eenv', '//.env'].map(
    (path): Cell => ['sensitive file', path, REFUSED],
  ),
  ...['/wp-config.php.bak', '/wp-config.php~', '/wp-config.txt', '/wp-config-backup.php', '/.wp-config.php.swp'].map(
    (path): Cell => ['copy of wp-config', path, REFUSED],
  ),
  ...['/wp-content/debug.log', '/error_log', '/backup.sql', '/a/dump.SQL.gz', '/x.sql.bak'].map(
    (path): Cell => ['log or dump', path, REFUSED],
  ),
  ...['/wp-content/uploads/x.php', '/wp-content/uploads/2026/a.b.PHTML', '/wp-content/uploads/%0a/x.php/y'].map(
    (path): Cell => ['PHP in uploads', path, REFUSED],
  ),
  ['install script', '/wp-admin/install.php?step=1', REFUSED],
  ['install script', '/wp-admin/setup-config.php', REFUSED],
  ['scanner', '/', REFUSED, agent('sqlmap/1.7.2#stable (https://sqlmap.org)')],
  ['scanner', '/', REFUSED, agent('WPScan v3.8.25 (https://wpscan.com/)')],
  ['user enumeration', '/?author=1', REFUSED],
  ['user enumeration', '/index.php?x=1&%61uthor=%31', REFUSED],
  ['user enumeration', '/wp-json/wp/v2/users', REFUSED],
  ['user enumeration', '/wp-json/wp/v2/users/1', REFUSED],
  ['user enumeration', '/?rest_route=/wp/v2/users', REFUSED],
  ['user enumeration', '/?rest%5froute=%2Fwp%2Fv2%2Fusers&per_page=9', REFUSED],
  ['user list, signed in', '/wp-json/wp/v2/users', FINE, { headers: { cookie: 'wordpress_logged_in_1a=ada' } }],
  ['user list, with a password', '/wp-json/wp/v2/users', FINE, { headers: { authorization: 'Basic YTpi' } }],
  ['xmlrpc.php', '/xmlrpc.php', [200, 200, 403], { method: 'POST' }],
  ['wp-cron.php', '/wp-cron.php?doing_wp_cron', [200, 200, 403]],
  ...['/', '/wp-login.php', '/how-to-edit-wp-config', '/?s=author=1', '/wp-admin/edit.php?author=1'].map(
    (path): Cell => ['honest', path, FINE],
  ),
  ...['/wp-content/uploads/php.jpg', '/environment', '/.well-known/x', '/wp-json/wp/v2/posts?author=1'].map(
    (path): Cell => ['honest', path, FINE],
  ),
  ['honest', '/', FINE, agent('Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0')],
  ['honest', '/', FINE, agent('')],
]

const HEADERS: [name: string, value: string, sent: [boolean, boolean, boolean]][] = [
  ['x-content-type-options', 'nosniff', [false, true, true]],
  ['x-frame-options', 'SAMEORIGIN', [false, false, true]],
  ['strict-transport-security', 'max-age=31536000', [false, false, true]],
  ['referrer-policy', 'strict-origin-when-cross-origin', [false, false, true]],
]

const rule = (index: number, part: Partial<StoredRule> & { conditions: Condition[] }): StoredRule => ({
  id: `01890000-0000-7000-8000-00000000000${index}`,
  action: 'block',
  match: 'all',
  note: '',
  enabled: true,
  ...part,
})

const CUSTOM: StoredRule[] = [
  rule(1, { action: 'allow', conditions: [{ field: 'address', operator: 'equals', value: '203.0.113.0/24' }] }),
  rule(2, {
    conditions: [
      { field: 'path', operator: 'begins', value: '/private/' },
      { field: 'address', operator: 'equals', value: '198.51.100.1', not: true },
    ],
  }),
  rule(3, {
    match: 'any',
    conditions: [
      { field: 'query', operator: 'contains', value: 'x=$1;"{' },
      { field: 'method', operator: 'equals', value: 'DELETE' },
      { field: 'hostname', operator: 'ends', value: '.other' },
      { field: 'referrer', operator: 'begins', value: 'http://spam' },
      { field: 'header', name: 'X-Api-Key', operator: 'equals', value: 'leaked' },
      { field: 'cookie', name: 'Basket', operator: 'pattern', value: '^[0-9]{2,}$' },
      { field: 'userAgent', operator: 'pattern', value: 'bad(?:bot|crawler)' },
      { field: 'path', operator: 'pattern', value: '^/a.*a.*a.*a.*a.*b$' },
    ],
  }),
  rule(4, { enabled: false, conditions: [{ field: 'path', operator: 'begins', value: '/' }] }),
]

void describe('the protection of a site at a real edge', { timeout: 300_000 }, () => {
  let nginx: RealNginx
  const site = createServer((_, response) => response.setHeader('X-Frame-Options', 'ALLOWALL').end('site'))
  /** Through a proxy that is trusted, so that a visitor can have any address. */
  const visit = (level: string, path: string, more: Partial<Asked> = {}, address = '192.0.2.1') =>
    ask({
      port: nginx.edge.httpPort,
      host: `${level}.localhost`,
      path,
      from: '127.0.0.9',
      ...more,
      headers: { ...more.headers, 'X-Forwarded-For': address },
    })
  const statuses = async (count: number, send: () => ReturnType<typeof visit>) => {
    const seen: number[] = []
    for (let sent = 0; sent < count; sent++) seen.push((await send()).status)
    return seen
  }

  before(async () => {
    await once(site.listen(0, '127.0.0.1'), 'listening')
    const address = site.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    nginx = await realNginx({ httpPort: await freePort(), httpsPort: await freePort() }, ['x.example'])
    const settings = { neverLimited: ['198.51.100.7'], inside: ['10.77.0.0/16'] }
    // So slow that what a test sends is never waited for; the real figures are in the golden files.
    const slow = (burst: number) => ({ requests: 1, per: 'minute' as const, burst })
    const limits = { login: slow(2), xmlrpc: slow(2), requests: slow(3), assets: slow(5) }
    const wide = { requests: 10_000, per: 'second' as const, burst: 10_000 }
    const open = { limits: { requests: wide, xmlrpc: wide } }
    const sites: [name: string, level: Level, overrides: Overrides, rules: StoredRule[]][] = [
      ...LEVELS.map((level): [string, Level, Overrides, StoredRule[]] => [level, level, open, []]),
      ['limited', 'standard', { limits }, []],
      ['custom', 'standard', { limits: { ...limits, requests: null } }, CUSTOM],
    ]
    const parts = sites.map(([name, level, overrides, rules]) => {
      const inForce = resolve({ level, overrides }, { level: 'off', overrides: {} })
      const guard = guardOf(inForce, rules, settings)
      return { name, headers: headersOf(inForce.rows), ...(guard && { guard }) }
    })
    const files = Object.fromEntries(
      parts.map(part => {
        const hostnames: [string, string] = [`${part.name}.localhost`, `${part.name}.other`]
        const target = { kind: 'upstream', address: '127.0.0.1', port } as const
        return [`sites/${part.name}.conf`, edgeSite({ ...exampleDevSite, ...part, hostnames, target }, nginx.edge)]
      }),
    )
    const shared = { 'sites/0-limits.conf': edgeLimits(parts.flatMap(({ guard }) => guard?.limits ?? [])) }
    const all = { 'nginx.conf': edgeMain(nginx.edge), ...shared, ...files }
    await applyEdge(nginx.folder, async () => all, nginx.runner)
  })
  after(async () => {
    await nginx?.stop()
    site.closeAllConnections()
    site.close()
  })

  for (const [index, level] of LEVELS.entries()) {
    void it(`refuses what ${level} refuses`, async () => {
      for (const [what, path, expected, more] of cells)
        assert.equal((await visit(level, path, more)).status, expected[index], `${what} ${path}`)
    })

    void it(`sends the headers of ${level}, once`, async () => {
      for (const path of ['/', '/.env'])
        for (const [name, value, sent] of HEADERS) {
          const { status, headers } = await visit(level, path)
          const own = name === 'x-frame-options' && status === 200 ? 'ALLOWALL' : undefined
          assert.equal(headers[name], sent[index] ? value : own, `${name} at ${path}`)
        }
    })
  }

  void it('says nothing about the rule, and tells the log', async () => {
    const { body, headers } = await visit('strict', '/.env?secret', agent('a"b\u00ff'), '192.0.2.77')
    assert.match(body, /This request was refused/)
    assert.doesNotMatch(JSON.stringify([body, headers]), /sensitive/)
    const lines = () => readFileSync(`${nginx.edge.logFolder}/access.json`, 'utf8').trim().split('\n')
    const found = () =>
      lines()
        .map(parseRefused)
        .find(line => line?.address === '192.0.2.77')
    await until('the log', async () => found() !== undefined, 60_000)
    const { at: _, ...line } = found() ?? assert.fail()
    assert.deepEqual(line, {
      site: 'strict',
      rule: 'sensitive-files',
      status: 403,
      address: '192.0.2.77',
      method: 'GET',
      path: '/.env',
      userAgent: line.userAgent,
    })
  })

  void it('lets the site itself call wp-cron.php', async () => {
    assert.equal((await visit('strict', '/wp-cron.php', {}, '10.77.0.2')).status, 200)
  })

  void it('limits each kind of request by itself, for each address', async () => {
    const login = () => visit('limited', '/wp-login.php', { method: 'POST' })
    assert.deepEqual(await statuses(5, login), [200, 200, 200, 429, 429])
    const limited = await login()
    assert.equal(limited.headers['retry-after'], '60')
    assert.match(limited.body, /Too many requests/)
    assert.equal((await visit('limited', '/wp-login.php', { method: 'POST' }, '192.0.2.2')).status, 200)
    const rpc = (address: string) => statuses(5, () => visit('limited', '/xmlrpc.php', {}, address))
    assert.deepEqual(await rpc('192.0.2.1'), [200, 200, 200, 429, 429])
    assert.deepEqual(await rpc('198.51.100.7'), [200, 200, 200, 200, 200])
    const assets = await statuses(8, () => visit('limited', '/wp-includes/a.js'))
    assert.deepEqual(assets, [200, 200, 200, 200, 200, 200, 429, 429])
    assert.deepEqual(await statuses(6, () => visit('limited', '/wp-login.php')), [200, 200, 200, 200, 429, 429])
    assert.equal((await visit('limited', '/wp-content/a.js', {}, '192.0.2.3')).status, 200)
  })

  const custom: [what: string, expected: number, path: string, more?: Partial<Asked>, address?: string][] = [
    ['an honest request', 200, '/'],
    ['a path', 403, '/Private/a'],
    ['a path, from the address that may', 200, '/private/a', {}, '198.51.100.1'],
    ['a path, from a range that is allowed', 200, '/private/a', {}, '203.0.113.9'],
    ['what is refused otherwise, from a range that is allowed', 200, '/.env', {}, '203.0.113.9'],
    ['a query', 403, '/?y=1&x=$1;%22{'.replace('%22', '"')],
    ['a method', 403, '/', { method: 'DELETE' }],
    ['a hostname', 403, '/', { host: 'custom.other' }],
    ['a referrer', 403, '/', { headers: { referer: 'http://spam.example' } }],
    ['a header', 403, '/', { headers: { 'x-api-key': 'LEAKED' } }],
    ['a longer header', 200, '/', { headers: { 'x-api-key': 'leaked2' } }],
    ['a cookie', 403, '/', { headers: { cookie: 'a=1; Basket=12' } }],
    ['another cookie', 200, '/', { headers: { cookie: 'a=12; basket=1' } }],
    ['a user agent', 403, '/', agent('BadCrawler/1')],
    ['a challenge of an authority', 404, '/.well-known/acme-challenge/x', agent('badbot')],
    ['a path that takes a pattern too long', 500, `/${'a'.repeat(4000)}bc`],
  ]
  for (const [what, expected, path, more, address] of custom)
    void it(`follows the site's own rules: ${what}`, async () => {
      assert.equal((await visit('custom', path, more, address)).status, expected)
    })

  void it('does not limit who is allowed', async () => {
    const login = () => visit('custom', '/wp-login.php', { method: 'POST' }, '203.0.113.9')
    assert.deepEqual(await statuses(6, login), [200, 200, 200, 200, 200, 200])
  })
})
