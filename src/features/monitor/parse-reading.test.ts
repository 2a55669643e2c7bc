import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseReading } from './parse-reading.ts'

const ID = 'a'.repeat(64)
const V1 = '/sys/fs/cgroup/memory/docker'

/** Each file as `path|content`; the disk has no path. */
const parse = (...files: string[]) =>
  parseReading(files.map(file => file.replace(/^([^|]+)\|/, '==> $1 <==\n').replace(/^\|/, '')).join('\n\n'))

const isSound = (value: number | null) => value === null || (Number.isFinite(value) && value >= 0)

describe('what a hostile server answers', { timeout: 300_000 }, () => {
  it('is null where it is not a number', () => {
    const reading = parse(
      '|0x1000 5 1',
      '/proc/loadavg|-1.00 1e9 NaN 1/2 3',
      '/proc/uptime|Infinity 1',
      '/proc/stat|cpu  1 2 3 0x10 5 6 7 8 9 10',
      '/proc/meminfo|MemTotal: 99999999999999999999 kB\nMemAvailable: 12 GB',
      '/proc/net/dev|  eth0: 1 2 3',
    )
    const { containers, ...rest } = reading
    assert.equal(containers.size, 0)
    for (const [name, value] of Object.entries(rest)) assert.equal(value, null, name)
  })

  it('cannot be taken for another file', () => {
    const reading = parse(
      '==> /proc/loadavg <== 0.50 0.50 0.50 1/2 3',
      ` ==> /proc/loadavg <==\n0.50 0.50 0.50`,
      `${V1}/${ID}/../../proc/loadavg|0.50 0.50 0.50`,
      'standard input|1 2 3',
    )
    assert.deepEqual([reading.load1, reading.diskTotalBytes], [null, null])
  })

  it('is a container only under an id that Docker gives', () => {
    const wrong = [ID.slice(1), `${ID}a`, ID.toUpperCase(), `${ID.slice(1)}\u001b`, '__proto__', `${ID}/${ID}`]
    const reading = parse(...wrong.map(id => `${V1}/${id}/memory.usage_in_bytes|5`))
    assert.equal(reading.containers.size, 0)
  })

  it('leaves no value that is not a number from zero up, whatever it is', () => {
    const path = fc.constantFrom(
      '/proc/loadavg',
      '/proc/uptime',
      '/proc/stat',
      '/proc/meminfo',
      '/proc/net/dev',
      `${V1}/${ID}/memory.usage_in_bytes`,
      `${V1}/${ID}/memory.stat`,
      `/sys/fs/cgroup/docker/${ID}/cpu.stat`,
    )
    const word = fc.oneof(
      fc.constantFrom('cpu ', 'cpu0 ', 'MemTotal:', 'eth0:', 'usage_usec', 'inactive_file', 'kB', '\u001b[2J', ' '),
      fc.bigInt({ min: -10n, max: 2n ** 70n }).map(String),
      fc.string(),
    )
    const line = fc
      .tuple(path, fc.array(word, { maxLength: 20 }))
      .map(([file, words]) => `==> ${file} <==\n${words.join(' ')}`)
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), lines => {
        const { containers, ...rest } = parseReading(lines.join('\n'))
        assert.ok(Object.values(rest).every(isSound))
        for (const use of containers.values()) assert.ok(Object.values(use).every(isSound))
      }),
      { numRuns: 2000 },
    )
  })
})
