import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { type Firewall, renderFirewall } from './render-firewall.ts'

const empty: Firewall = { blocked: [], sites: [], sitePorts: [], refused: [], resolvers: [] }

const full: Firewall = {
  blocked: [
    { network: '203.0.113.9', timeoutSeconds: 3600 },
    { network: '198.51.100.77/24' },
    { network: '198.51.100.5', timeoutSeconds: 60 },
    { network: '2001:DB8:0::/48' },
  ],
  sites: ['10.77.0.0/16'],
  sitePorts: [25, 587],
  refused: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
  resolvers: ['10.0.0.2'],
}

void describe('renderFirewall', () => {
  for (const [name, firewall] of Object.entries({ empty, full }))
    void it(`${name}.nft is as reviewed`, () => {
      const path = new URL(`golden/${name}.nft`, import.meta.url)
      if (process.env.WRITE_GOLDEN === '1') writeFileSync(path, renderFirewall(firewall))
      assert.equal(renderFirewall(firewall), readFileSync(path, 'utf8'))
    })

  const payloads = [
    '\n',
    '\r\n',
    '\u2028',
    ';',
    '{',
    '}',
    '#',
    '$x',
    '"',
    "'",
    '\\',
    ' ',
    ',',
    '%eth0',
    '/33',
    '-1.2.3.9',
    '\0',
  ]
  const wrong = [
    '',
    'localhost',
    '1.2.3',
    '01.2.3.4',
    '0x7f.1',
    '1.2.3.4/',
    '1.2.3.4/08',
    '::ffff:1.2.3.4',
    '0.0.0.0/0',
    '::/0',
  ]
  for (const value of [...payloads.map(payload => `1.2.3.4${payload}`), ...wrong, '1'.repeat(65_536)])
    void it(`refuses ${JSON.stringify(value).slice(0, 30)} as a network`, () => {
      const everywhere: Partial<Firewall>[] = [
        { blocked: [{ network: value }] },
        { sites: [value] },
        { refused: [value] },
        { resolvers: [value] },
      ]
      for (const part of everywhere)
        assert.throws(() => renderFirewall({ ...empty, ...part }), { code: 'invalid_firewall_value' })
    })

  for (const value of [0, -1, 1.5, 65_536, Number.NaN])
    void it(`refuses ${value} as a port and as a time`, () => {
      assert.throws(() => renderFirewall({ ...empty, sitePorts: [value] }), { code: 'invalid_firewall_value' })
      const timeoutSeconds = value === 65_536 ? 1e9 : value
      const blocked = [{ network: '1.2.3.4', timeoutSeconds }]
      assert.throws(() => renderFirewall({ ...empty, blocked }), { code: 'invalid_firewall_value' })
    })
})
