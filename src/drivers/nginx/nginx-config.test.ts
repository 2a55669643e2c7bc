import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { exampleDevSite, exampleEdge, examplePanel, exampleSite } from '#test/support/nginx/example-values.ts'
import { edgeMain } from './edge-main.ts'
import { edgePanel } from './edge-panel.ts'
import { edgeSite } from './edge-site.ts'
import { type Argument, block, directive, dollarVariable, renderNginx, template, variable } from './writer.ts'

const { certificate: _, ...panelWithoutCertificate } = examplePanel
const forward = {
  kind: 'forward',
  address: '2001:db8::7',
  port: 443,
  isSecure: true,
} as const
const held = { ...forward, address: '192.0.2.7', port: 80, isSecure: false, home: { address: '10.77.0.6', port: 8080 } }

const arrived = { ...exampleDevSite, forwarders: ['192.0.2.9'], connectTimeoutSeconds: 120 }

const blocked = ['198.51.100.0/24', '2001:db8::/64']

const golden: [file: string, text: () => string][] = [
  ['main', () => edgeMain(exampleEdge)],
  ['site', () => edgeSite(exampleSite, exampleEdge)],
  ['site-dev', () => edgeSite(exampleDevSite, { ...exampleEdge, httpPort: 8080, ipv6: false })],
  ['site-maintenance', () => edgeSite({ ...exampleDevSite, target: { kind: 'maintenance' } }, exampleEdge)],
  ['site-forward', () => edgeSite({ ...exampleSite, redirects: [], target: forward }, exampleEdge)],
  ['site-held', () => edgeSite({ ...exampleDevSite, target: held }, exampleEdge)],
  ['site-forwarded', () => edgeSite(arrived, exampleEdge)],
  ['main-blocked', () => edgeMain({ ...exampleEdge, blocked, proxyHeader: 'CF-Connecting-IP' })],
  ['site-forwarded-header', () => edgeSite(arrived, { ...exampleEdge, proxyHeader: 'CF-Connecting-IP' })],
  ['site-blocked', () => edgeSite({ ...exampleDevSite, blocked: ['203.0.113.7'] }, { ...exampleEdge, blocked })],
  ['panel', () => edgePanel(examplePanel, exampleEdge)],
  ['panel-first', () => edgePanel(panelWithoutCertificate, exampleEdge)],
]

void describe('edge configuration', () => {
  for (const [file, text] of golden)
    void it(`${file}.conf is as reviewed`, () => {
      const path = new URL(`golden/${file}.conf`, import.meta.url)
      if (process.env.WRITE_GOLDEN === '1') writeFileSync(path, text())
      assert.equal(text(), readFileSync(path, 'utf8'))
    })
})

void describe('renderNginx', () => {
  const rendered: [title: string, value: Argument, text: string][] = [
    ['a plain word stays bare', '/srv/a_b-c.d', '/srv/a_b-c.d'],
    ['an empty word', '', '""'],
    ['what nginx would read as its own', 'a b;{}#\'"\\', '"a b;{}#\'\\"\\\\"'],
    ['a variable', variable('host'), '$host'],
    ['variables in a text', template`https://${variable('host')}/x`, 'https://$host/x'],
    ['letters after a variable', template`${variable('host')}x`, '${host}x'],
    ['a dollar sign in a text', template`${'$5 $host'}`, '"${fleetpress_dollar}5 ${fleetpress_dollar}host"'],
    ['another script', 'ñ\u2028', '"ñ\u2028"'],
  ]
  for (const [title, value, text] of rendered)
    void it(`writes ${title}`, () => assert.equal(renderNginx([directive('x', value)]), `x ${text};\n`))

  void it('writes blocks in blocks', () => {
    const inner = block(['b', 1], [directive('c')])
    assert.equal(renderNginx([block(['a'], [inner]), directive('d')]), 'a {\n  b 1 {\n    c;\n  }\n}\nd;\n')
    assert.equal(renderNginx([dollarVariable]), 'geo $fleetpress_dollar {\n  default "$";\n}\n')
  })

  const refused = [
    '\n',
    '\r',
    '\r\n',
    '\0',
    '\t',
    '\u001b',
    '\u007f',
    '\ud800',
    '$',
    '$host',
    '${host}',
    'a'.repeat(65_536),
  ]
  for (const value of refused)
    void it(`refuses ${JSON.stringify(value).slice(0, 20)}`, () => {
      assert.throws(() => renderNginx([directive('x', `a${value}`)]), { code: 'invalid_edge_value' })
      assert.throws(() => renderNginx([directive(`a${value}`)]), { code: 'invalid_edge_value' })
    })

  for (const value of [1.5, Number.NaN, Infinity])
    void it(`refuses ${value}`, () =>
      assert.throws(() => renderNginx([directive('x', value)]), { code: 'invalid_edge_value' }))
})
