import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { edgeLimits } from '#drivers/nginx/edge-limits.ts'
import { edgeSite } from '#drivers/nginx/edge-site.ts'
import { exampleEdge, exampleSite } from '#test/support/nginx/example-values.ts'
import { LEVEL_ROWS, LEVELS, type Level, type Overrides, type Rows } from '../levels/contract.ts'
import { resolve } from '../levels/resolve.ts'
import type { StoredRule } from './contract.ts'
import { guardOf, headersOf } from './guard.ts'

const fleet = { level: 'standard' as const, overrides: {} }
const settings = { neverLimited: ['192.0.2.7', '2001:db8:1::/48'], inside: ['10.77.0.0/16', '127.0.0.0/8', '::1'] }

const render = (level: Level, overrides: Overrides = {}, customRules: StoredRule[] = []): string => {
  const inForce = resolve({ level, overrides }, fleet)
  const guard = guardOf(inForce, customRules, settings)
  const site = { ...exampleSite, redirects: [], headers: headersOf(inForce.rows), ...(guard && { guard }) }
  return `${edgeLimits(guard?.limits ?? [])}${edgeSite(site, exampleEdge)}`
}

const condition = (
  field: StoredRule['conditions'][number]['field'],
  operator: 'equals' | 'pattern',
  value: string,
) => ({
  field,
  operator,
  value,
})

const customRules: StoredRule[] = [
  {
    id: '01890000-0000-7000-8000-000000000001',
    action: 'allow',
    match: 'any',
    conditions: [condition('address', 'equals', '203.0.113.0/24'), condition('address', 'equals', '2001:db8::1')],
    note: '',
    enabled: true,
  },
  {
    id: '01890000-0000-7000-8000-000000000002',
    action: 'block',
    match: 'all',
    conditions: [
      { field: 'path', operator: 'begins', value: '/a b/$x;{}"\\é' },
      { field: 'query', operator: 'contains', value: 'key=1' },
      { field: 'referrer', operator: 'ends', value: '.example/' },
      { field: 'header', name: 'X-Api-Key', operator: 'equals', value: '', not: true },
      { field: 'cookie', name: 'Basket', operator: 'pattern', value: '^[0-9]{2,}$' },
      { field: 'address', operator: 'equals', value: '198.51.100.1', not: true },
    ],
    note: 'odd ones',
    enabled: true,
  },
  {
    id: '01890000-0000-7000-8000-000000000003',
    action: 'block',
    match: 'all',
    conditions: [condition('method', 'equals', 'DELETE')],
    note: '',
    enabled: false,
  },
]

const golden: [file: string, text: () => string][] = [
  ...LEVELS.map((level): [string, () => string] => [level, () => render(level)]),
  ['custom-rules', () => render('standard', {}, customRules)],
]

void describe('the protection of a site at the edge', () => {
  for (const [file, text] of golden)
    void it(`${file}.conf is as reviewed`, () => {
      const path = new URL(`golden/${file}.conf`, import.meta.url)
      if (process.env.WRITE_GOLDEN === '1') writeFileSync(path, text())
      assert.equal(text(), readFileSync(path, 'utf8'))
    })

  void it('is nothing under Off, whatever is switched on on top of it', () => {
    assert.equal(render('off', LEVEL_ROWS.strict, customRules), render('off'))
    assert.doesNotMatch(render('off'), /limit|403|refused|X-Frame/)
  })

  void it('leaves out rules that are switched off', () =>
    assert.doesNotMatch(render('strict', {}, customRules), /DELETE/))

  void it('of every row can be switched off and on on top of a level', () => {
    for (const level of ['standard', 'strict'] as const) {
      const rows: Rows = LEVEL_ROWS[level]
      for (const part of ['rules', 'headers'] as const)
        for (const [row, value] of Object.entries(rows[part])) {
          const off = (LEVEL_ROWS.off[part] as Record<string, unknown>)[row]
          const overrides = { [part]: { [row]: off } } as Overrides
          const isSame = render(level, overrides) === render(level)
          assert.equal(isSame, value === off, `${level} ${part}.${row}`)
        }
      for (const row of ['login', 'requests', 'assets'] as const) {
        assert.doesNotMatch(render(level, { limits: { [row]: null } }), new RegExp(`zone=fleetpress_${row}`))
        const own = { requests: 7, per: 'second' as const, burst: 3 }
        assert.match(
          render(level, { limits: { [row]: own } }),
          new RegExp(`zone=fleetpress_${row}_7_second burst=3 nodelay`),
        )
      }
    }
    assert.match(render('strict', { rules: { xmlrpc: 'limited' } }), /zone=fleetpress_xmlrpc_30_minute burst=2 nodelay/)
    assert.match(render('standard', { rules: { wpCron: 'refused' } }), /wp-cron/)
  })

  void it('follows the fleet and its changes only without a level of its own', () => {
    const strictFleet = { level: 'strict' as const, overrides: { rules: { wpCron: 'allowed' as const } } }
    assert.equal(resolve({ level: null, overrides: {} }, strictFleet).rows.rules.wpCron, 'allowed')
    assert.equal(resolve({ level: 'strict', overrides: {} }, strictFleet).rows.rules.wpCron, 'refused')
    const both = resolve({ level: null, overrides: { headers: { hsts: false } } }, strictFleet)
    assert.deepEqual([both.level, both.rows.rules.wpCron, both.rows.headers.hsts], ['strict', 'allowed', false])
    assert.deepEqual(
      resolve({ level: null, overrides: LEVEL_ROWS.strict }, { level: 'off', overrides: LEVEL_ROWS.strict }).rows,
      LEVEL_ROWS.off,
    )
  })
})
