import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseDiskFiles } from './disk-files.ts'
import { isNearLimit, isOverLimit, limitOf, showDisk, useText } from './disk-limit.ts'
import { noDisk } from './disk-store.ts'

const MIB = 1024 ** 2
const DEFAULTS = { diskMiB: 100, files: 1000 }

describe('the disk limit of a site', () => {
  it('is its own, or else the default; 0 is none', () => {
    assert.deepEqual(limitOf(noDisk('a'), DEFAULTS), { bytes: 100 * MIB, files: 1000 })
    const own = { ...noDisk('a'), limit_mib: 0, limit_files: 5 }
    assert.deepEqual(limitOf(own, DEFAULTS), { bytes: 0, files: 5 })
    assert.deepEqual([showDisk(own, DEFAULTS).limitBytes, showDisk(own, DEFAULTS).limitFiles], [null, 5])
  })

  it('is over beyond it, and near from nine tenths on, for bytes and for files', () => {
    const limit = { bytes: 100, files: 10 }
    assert.deepEqual(
      [
        { bytes: 100, files: 10 },
        { bytes: 101, files: 1 },
        { bytes: 1, files: 11 },
      ].map(used => isOverLimit(used, limit)),
      [false, true, true],
    )
    assert.equal(isOverLimit({ bytes: 1e12, files: 1e9 }, { bytes: 0, files: 0 }), false)
    const near = (used_bytes: number, used_files: number) =>
      isNearLimit(showDisk({ ...noDisk('a'), used_bytes, used_files }, DEFAULTS))
    assert.deepEqual([near(89 * MIB, 899), near(90 * MIB, 1), near(1, 900)], [false, true, true])
    assert.equal(isNearLimit(showDisk(noDisk('a'), DEFAULTS)), false)
  })

  it('is told in words', () => {
    assert.equal(
      useText({ bytes: 2 * 1024 * MIB, files: 1234 }, { bytes: 100 * MIB, files: 1000 }),
      '2.0 GiB of 100 MiB and 1,234 of 1,000 files',
    )
    assert.equal(useText({ bytes: MIB, files: 2 }, { bytes: 0, files: 0 }), '1 MiB and 2 files')
  })
})

describe('what lies next to the files of sites', () => {
  it('is read by slug, and whatever looks wrong is left out', () => {
    const text = [
      '/srv/fleetpress/sites/shop/disk-limit:100 10',
      '/srv/fleetpress/sites/shop/disk-use:50 5 1700000000',
      '/srv/fleetpress/sites/blog/disk-full:200 20 1700000001',
      '/srv/fleetpress/sites/blog/disk-use:many 5 1700000000',
      '/srv/fleetpress/sites/UP/disk-use:1 5 1700000000',
      'disk-use:1 1 1',
      '',
    ].join('\n')
    assert.deepEqual(
      [...parseDiskFiles(text)],
      [
        ['shop', { limit: { bytes: 100, files: 10 }, use: { bytes: 50, files: 5, atMs: 1_700_000_000_000 } }],
        ['blog', { full: { atMs: 1_700_000_001_000 } }],
      ],
    )
  })
})
