import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { lookUpNames } from './look-up.ts'
import { pointsTo } from './points-here.ts'

describe('asking DNS', { timeout: 300_000 }, () => {
  it('ends within seconds for any number of names when no one answers', async () => {
    const silent = createSocket('udp4').bind(0, '127.0.0.1')
    await once(silent, 'listening')
    try {
      const began = performance.now()
      const names = Array.from({ length: 50 }, (_, index) => `n${index}.example`)
      const answers = await lookUpNames([`127.0.0.1:${silent.address().port}`], names)
      assert.ok(performance.now() - began < 10_000)
      for (const name of names) assert.match(answers.get(name)?.problem ?? '', /not respond in time/)
    } finally {
      silent.close()
    }
  })

  it('is not needed for names that lead every machine to itself', async () => {
    const answers = await lookUpNames(['127.0.0.1:9'], ['a.localhost'])
    assert.deepEqual(answers.get('a.localhost'), { a: ['127.0.0.1'], aaaa: ['::1'], cname: [], problem: null })
  })
})

describe('a name points to a server', () => {
  const addresses = ['192.0.2.7', '2001:db8::7']
  const points = (a: string[], aaaa: string[], known = addresses) =>
    pointsTo('a.example', { a, aaaa, cname: [], problem: null }, { id: 2, addresses: known })
  const cases: [title: string, found: boolean, expected: boolean][] = [
    ['when all its addresses are the server’s, however written', points(['192.0.2.7'], ['2001:0db8:0::0007']), true],
    ['not when one of them is another’s', points(['192.0.2.7', '192.0.2.8'], []), false],
    ['not when its IPv6 address is another’s', points(['192.0.2.7'], ['2001:db8::8']), false],
    [
      'also when the IPv6 address of the server is unknown',
      points(['192.0.2.7'], ['2001:db8::8'], ['192.0.2.7']),
      true,
    ],
    ['not without any address', points([], []), false],
    ['not when it has only addresses of a kind that is not known', points([], ['2001:db8::7'], ['192.0.2.7']), false],
  ]
  for (const [title, found, expected] of cases) it(title, () => assert.equal(found, expected))
})
