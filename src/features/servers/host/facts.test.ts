import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseDisk } from './read-disk.ts'
import { parseFacts } from './read-facts.ts'

const FILES = `PRETTY_NAME="Debian GNU/Linux 13 (trixie)"
ID=debian
VERSION_ID="13"
MemTotal:        2048000 kB
MemAvailable:    1024000 kB
0.42 0.30 0.20 1/234 5678
12345.67 23456.78
`
const UNAME = 'web1 6.12.0-amd64 x86_64\n'

describe('what a server says about itself', () => {
  it('is read from its own files', () => {
    assert.deepEqual(parseFacts({ files: FILES, uname: UNAME, nproc: '4\n' }), {
      hostname: 'web1',
      system: 'debian',
      systemVersion: '13',
      os: 'Debian GNU/Linux 13 (trixie)',
      kernel: '6.12.0-amd64',
      arch: 'x86_64',
      cpus: 4,
      memTotalBytes: 2_097_152_000,
      memAvailableBytes: 1_048_576_000,
      load1: 0.42,
      uptimeSeconds: 12_345.67,
    })
  })

  it('is null where it is not what it should be', () => {
    const facts = parseFacts({ files: 'MemTotal: lots kB\nID=\n1e9 x\n', uname: '', nproc: '-1; touch CANARY' })
    assert.ok(Object.values(facts).every(value => value === null))
  })

  it('cannot reach a screen with escape sequences, overrides or endless text', () => {
    const hostile = `\u001b]52;c;AAAA\u0007\u202e$(touch CANARY)${'x'.repeat(10_000)}`
    const facts = parseFacts({ files: `PRETTY_NAME="${hostile}"\n`, uname: `${hostile} k a`, nproc: hostile })
    for (const text of [facts.os, facts.hostname]) {
      assert.ok(text && text.length <= 200)
      assert.doesNotMatch(text, /[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
    }
    assert.equal(facts.cpus, null)
  })

  it('has a disk with a device of any name', () => {
    const line = (size: string, free: string, source: string) =>
      `1B-blocks Avail Filesystem\n${size} ${free} ${source}\n`
    assert.deepEqual(parseDisk(line('1000', '400', '/dev/mapper/a b')), {
      filesystem: '/dev/mapper/a b',
      totalBytes: 1000,
      freeBytes: 400,
    })
    assert.equal(parseDisk(line('1e9', '400', '/dev/sda')), null)
    assert.equal(parseDisk(line('1'.repeat(40), '400', '/dev/sda')), null)
    assert.equal(parseDisk(''), null)
    assert.doesNotMatch(parseDisk(line('1', '1', '\u001b[2Jx'))?.filesystem ?? '\u001b', /\u001b/)
  })
})
