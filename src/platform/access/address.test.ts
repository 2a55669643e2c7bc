import assert from 'node:assert/strict'
import { it } from 'node:test'
import { addressGroup, isLoopback } from './address.ts'

it('IPv4 stands for itself, IPv6 for its /64, however it is written', () => {
  const expected: Record<string, string> = {
    '192.0.2.7': '192.0.2.7',
    '::ffff:192.0.2.7': '192.0.2.7',
    '::1': '0:0:0:0::/64',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
    '2001:DB8:1:2::9': '2001:db8:1:2::/64',
    '2001:0db8:0001:0002:ffff:0:0:1': '2001:db8:1:2::/64',
    '2001:db8::1': '2001:db8:0:0::/64',
    'fe80::1%eth0': 'fe80:0:0:0::/64',
  }
  for (const [address, group] of Object.entries(expected)) assert.equal(addressGroup(address), group, address)
})

it('knows the own machine, and nothing that only looks like it', () => {
  for (const address of ['127.0.0.1', '127.9.8.7', '::1', '::ffff:127.0.0.1']) assert.equal(isLoopback(address), true)
  for (const address of ['1.127.0.0', '127.0.0.1.example', '::2', '::ffff:192.0.2.7', '10.0.0.1', ''])
    assert.equal(isLoopback(address), false, address)
})
