import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type ZipEntry, zipOf } from '#test/support/files/zip.ts'
import { fileSums } from './file-sums.ts'

const STORED = 0

describe('the checksums of the files in an archive', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fleetpress-sums-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const sumsOf = async (entries: readonly ZipEntry[], cut = 0) => {
    const path = join(folder, 'some.zip')
    const bytes = zipOf(entries)
    await writeFile(path, bytes.subarray(cut))
    return fileSums(path)
  }
  const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

  it('are those of what is unpacked', async () => {
    const large = randomBytes(300_000)
    const sums = await sumsOf([
      { name: 'plain/', mode: 0o040755, method: STORED },
      { name: 'plain/style.css', content: 'Version: 2.0' },
      { name: 'plain/large.png', content: large },
      { name: 'plain/stored.php', content: '<?php', method: STORED },
      { name: 'plain/empty.php', content: '', method: STORED },
      { name: 'plain/empty.txt', content: '' },
    ])
    assert.deepEqual(Object.fromEntries(sums), {
      'plain/style.css': sha256('Version: 2.0'),
      'plain/large.png': sha256(large),
      'plain/stored.php': sha256('<?php'),
      'plain/empty.php': sha256(''),
      'plain/empty.txt': sha256(''),
    })
  })

  it('are refused where the archive is not what it says', async () => {
    const content = 'a'.repeat(5_000)
    for (const sizeSaid of [4_999, 5_001])
      await assert.rejects(sumsOf([{ name: 'a.php', content, sizeSaid }]), { code: 'not_archive' })
    await assert.rejects(sumsOf([{ name: '../a.php', content }]), { code: 'unsafe_archive' })
    await assert.rejects(sumsOf([{ name: 'a.php', content }], 20), { code: 'not_archive' })
  })
})
