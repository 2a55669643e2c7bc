import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { PAYLOADS } from '#test/generated/payloads.ts'
import { parseLine } from './parse-line.ts'
import { tallyLines } from './tally.ts'

const NOW = 1_750_000_000_000
const FIELDS = { time: '1750000000.123', site: 'shop', uri: '/a?b', status: '200', bytes: '512', cache: '' }
const line = (part: Record<string, unknown> = {}) => JSON.stringify({ ...FIELDS, ...part })

describe('a line of the edge log', { timeout: 300_000 }, () => {
  it('is one request, without its query', () => {
    assert.deepEqual(parseLine(line()), {
      at: 1_750_000_000_123,
      site: 'shop',
      path: '/a',
      statusClass: '2xx',
      bytes: 512,
      isCacheHit: false,
    })
    assert.equal(parseLine(line({ status: '499', cache: 'HIT' }))?.statusClass, '4xx')
    assert.equal(parseLine(line({ cache: 'HIT' }))?.isCacheHit, true)
    assert.equal(parseLine(line({ cache: 'MISS' }))?.isCacheHit, false)
    assert.equal(parseLine(line({ uri: `/${'é'.repeat(300)}?x` }))?.path.length, 200)
    assert.equal(parseLine(line({ uri: '/a\u0000\u001b[2J\u202e' }))?.path, '/a\ufffd\ufffd[2J\ufffd')
  })

  const broken: [what: string, text: string][] = [
    ['cut off', line().slice(0, -1)],
    ['two in one', `${line()}${line()}`],
    ['empty', ''],
    ['no object', '"x"'],
    ['null', 'null'],
    ['without a site', line({ site: undefined })],
    ['with a number for a text', line({ status: 200 })],
    ['with a strange status', line({ status: '2e2' })],
    ['with an unknown status', line({ status: '600' })],
    ['with negative bytes', line({ bytes: '-1' })],
    ['with endless bytes', line({ bytes: '1'.repeat(30) })],
    ['with a strange time', line({ time: '1e9' })],
    ['with zero bytes in front', `\0\0\0${line()}`],
  ]
  for (const [what, text] of broken)
    it(`is left out when it is ${what}`, async () => {
      assert.equal(parseLine(text), undefined)
      const options = { madeAt: new Map([['shop', 0]]), now: NOW, mostPathsPerHour: 9 }
      const { minutes, broken: count } = await tallyLines([text, line()], options)
      assert.deepEqual([minutes[0]?.counts.requests, count], [1, 1])
    })

  it('never breaks the reading, and never shows what a terminal or a database would not take', () => {
    const uri = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.constantFrom(...PAYLOADS))
    const anything = fc.oneof(
      uri,
      uri.map(text => line({ uri: text })),
      fc.json(),
      fc.mixedCase(fc.constant(line())),
    )
    fc.assert(
      fc.property(anything, text => {
        const path = parseLine(text)?.path
        if (path === undefined) return
        assert.ok(path.length <= 200 && path.isWellFormed() && !/[\p{Cc}?]/u.test(path), JSON.stringify(path))
      }),
      { numRuns: 5000 },
    )
  })
})

describe('what a piece of log adds up to', { timeout: 300_000 }, () => {
  const options = { madeAt: new Map([['shop', NOW - 3_600_000]]), now: NOW, mostPathsPerHour: 3 }
  const at = (ms: number) => (ms / 1000).toFixed(3)

  it('belongs to sites that exist, since they were made, and never to days that have not come', async () => {
    const lines = [
      line({ time: at(NOW), site: 'other' }),
      line({ time: at(NOW), site: '' }),
      line({ time: at(NOW), site: '__proto__' }),
      line({ time: at(NOW - 3_600_001) }),
      line({ time: at(NOW - 3_600_000) }),
      line({ time: at(NOW + 86_400_000) }),
    ]
    const { minutes, broken } = await tallyLines(lines, options)
    assert.deepEqual(
      minutes.map(each => [each.site, each.at, each.counts.requests]),
      [
        ['shop', NOW - 3_600_000 - ((NOW - 3_600_000) % 60_000), 1],
        ['shop', NOW - (NOW % 60_000), 1],
      ],
    )
    assert.equal(broken, 0)
  })

  it('names the most frequent paths, though a visitor asks for thousands of others first', async () => {
    const noise = Array.from({ length: 5000 }, (_, index) => line({ time: at(NOW), uri: `/noise-${index}` }))
    const wanted = ['/a', '/a', '/a', '/b', '/b'].map(uri => line({ time: at(NOW), uri }))
    const { hours } = await tallyLines([...noise, ...wanted], options)
    assert.deepEqual(
      hours[0]?.paths.map(({ path, requests }) => [path, requests]),
      [
        ['/a', 3],
        ['/b', 2],
        ['/noise-0', 1],
      ],
    )
  })
})
