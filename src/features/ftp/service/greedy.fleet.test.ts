import assert from 'node:assert/strict'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readAtOnce } from '#test/support/greedy-sftp.ts'
import { localFtp } from '#test/support/local-ftp.ts'

const KIB = 1024
const MOST_BYTES = 255 * KIB
const ada = { username: 'ada', password: 'right-for-ada', folder: '/sites/hello/html', uid: 70_000 }

describe('an SFTP client that asks for too much at once', { timeout: 10 * 60_000 }, () => {
  it('gets a part of it, or nothing, and harms no memory of the service', async () => {
    await using ftp = await localFtp()
    const html = await ftp.makeSite('hello', ada.uid, { 'large.bin': '' })
    await truncate(join(html, 'large.bin'), 8 * KIB ** 2)
    await ftp.apply([ada])
    const read = (bytes: number, packetBytes: number) =>
      readAtOnce({ ...ada, address: ftp.address }, '/large.bin', { bytes, packetBytes })
    assert.equal(await read(32 * KIB, 32 * KIB), 32 * KIB)
    assert.equal(await read(600_000, 32 * KIB), MOST_BYTES)
    // Larger than the buffer it encrypts in, and negative for its allocator.
    for (const bytes of [600_000, 2_000_000, 2 ** 31 + 256, 2 ** 32 - 65]) await read(bytes, 4 * KIB ** 2)
    assert.equal(await read(2 ** 31 + 256, 32 * KIB), 0)
    assert.equal(await read(32 * KIB, 32 * KIB), 32 * KIB)
    assert.doesNotMatch(await ftp.log(), /STACK TRACE|glibc|signal/i)
  })
})
