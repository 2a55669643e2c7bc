import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lastOf, minus, parseNetwork } from './networks.ts'

const network = (text: string) => parseNetwork('test', text)
const without = (text: string, ...others: string[]) => minus(network(text), others.map(network)).map(each => each.text)

describe('networks', () => {
  it('without others are what is left of them', () => {
    assert.deepEqual(without('203.0.113.0/24', '198.51.100.0/24'), ['203.0.113.0/24'])
    assert.deepEqual(without('203.0.113.0/24', '203.0.0.0/16'), [])
    assert.deepEqual(without('203.0.113.7', '203.0.113.7'), [])
    assert.deepEqual(without('203.0.113.0/30', '203.0.113.1'), ['203.0.113.0', '203.0.113.2/31'])
    assert.deepEqual(without('2001:db8::/126', '2001:db8::', '2001:db8::3'), ['2001:db8::1', '2001:db8::2'])
    assert.deepEqual(without('2001:db8::/64', '203.0.113.7'), ['2001:db8::/64'])
  })

  it('hold every address but the one that was taken out', () => {
    const left = minus(network('10.0.0.0/8'), [network('10.1.2.3')])
    const sizes = left.map(each => lastOf(each) - each.first + 1n)
    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0n),
      2n ** 24n - 1n,
    )
    assert.ok(left.every(each => each.first > network('10.1.2.3').first || lastOf(each) < network('10.1.2.3').first))
  })
})
