import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EdgeRequest } from './parse-request.ts'
import { Suspects } from './suspects.ts'

const MINUTE_MS = 60_000
const limits = {
  windowMs: 10 * MINUTE_MS,
  limits: { 'failed-logins': 5, xmlrpc: 5, probing: 5, refused: 5 },
}
const request = (part: Partial<EdgeRequest>): EdgeRequest => ({
  at: 0,
  address: '203.0.113.7',
  site: 'bakery',
  method: 'POST',
  path: '/wp-login.php',
  query: '',
  status: 200,
  userAgent: 'curl',
  blockedBy: '',
  ...part,
})

describe('suspects', () => {
  const crossings = (suspects: Suspects, times: number, part: (index: number) => Partial<EdgeRequest>) =>
    Array.from({ length: times }, (_, index) => suspects.note(request(part(index)), 'failed-logins', limits))

  it('cross a limit with exactly that many requests in the window', () => {
    const found = crossings(new Suspects(), 5, index => ({ at: index * 1000 }))
    assert.deepEqual(
      found.map(crossing => crossing?.count),
      [undefined, undefined, undefined, undefined, 5],
    )
    assert.deepEqual([...(found[4]?.suspect.sites ?? [])], ['bakery'])
    assert.equal(found[4]?.suspect.requests.length, 5)
  })

  it('are forgiven what is long ago', () => {
    const found = crossings(new Suspects(), 50, index => ({ at: index * 3 * MINUTE_MS }))
    assert.ok(found.every(crossing => crossing === undefined))
  })

  it('are one /64 of IPv6, and each address of IPv4', () => {
    const six = crossings(new Suspects(), 5, index => ({ address: `2001:db8:1:2::${index}` }))
    assert.equal(six[4]?.suspect.network.text, '2001:db8:1:2::/64')
    const four = crossings(new Suspects(), 5, index => ({ address: `203.0.113.${index}` }))
    assert.ok(four.every(crossing => crossing === undefined))
  })

  it('ask for different missing pages', () => {
    const suspects = new Suspects()
    const probe = (path: string) => suspects.note(request({ path }), 'probing', limits)
    for (let round = 0; round < 20; round += 1) assert.equal(probe('/feed.json'), undefined)
    for (const path of ['/a.php', '/b.php', '/c.php']) assert.equal(probe(path), undefined)
    assert.equal(probe('/d.php')?.count, 5)
  })

  it('are left alone for a while after a decision', () => {
    const suspects = new Suspects()
    const [, , , , crossing] = crossings(suspects, 5, () => ({}))
    assert.ok(crossing)
    suspects.settle(crossing.suspect, MINUTE_MS)
    assert.deepEqual(suspects.list(0, limits.windowMs), [])
    assert.ok(crossings(suspects, 50, () => ({ at: 1000 })).every(each => each === undefined))
    assert.ok(crossings(suspects, 5, () => ({ at: MINUTE_MS }))[4])
  })

  it('never take more than a bounded amount of memory', () => {
    const suspects = new Suspects()
    for (let index = 0; index < 12_000; index += 1)
      suspects.note(request({ address: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}` }), 'xmlrpc', limits)
    const kept = suspects.list(0, limits.windowMs)
    assert.equal(kept.length, 10_000)
    assert.ok(!kept.some(({ suspect }) => suspect.network.text === '10.0.0.0'))
    assert.equal(suspects.note(request({ address: 'unix:' }), 'xmlrpc', limits), undefined)
  })
})
