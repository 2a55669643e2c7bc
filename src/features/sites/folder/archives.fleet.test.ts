import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { z } from 'zod'
import { Problem } from '#platform/contract/problem.ts'
import { type LocalFolder, localFolder } from '#test/support/files/local-folder.ts'
import { type ZipEntry, zipOf } from '#test/support/files/zip.ts'
import { ask } from './ask.ts'

const Anything = z.unknown()
const MIB = 1024 ** 2
const LINK = 0o120777

const UNSAFE: Record<string, { entries: ZipEntry[]; reason: string }> = {
  'a path upwards': { entries: [{ name: '../out.php', content: 'x' }], reason: 'unsafe_archive' },
  'a path upwards in the middle': { entries: [{ name: 'a/../../out.php' }], reason: 'unsafe_archive' },
  'a backslash': { entries: [{ name: '..\\out.php' }], reason: 'unsafe_archive' },
  'an absolute path': { entries: [{ name: '/tmp/out.php' }], reason: 'unsafe_archive' },
  'a drive letter': { entries: [{ name: 'C:/out.php' }], reason: 'unsafe_archive' },
  'a link': { entries: [{ name: 'link', content: '/etc/passwd', mode: LINK }], reason: 'unsafe_archive' },
  'a link and a file through it': {
    entries: [
      { name: 'up', content: '..', mode: LINK },
      { name: 'up/out.php', content: 'x' },
    ],
    reason: 'unsafe_archive',
  },
  'a device': { entries: [{ name: 'device', mode: 0o020666 }], reason: 'unsafe_archive' },
  'a pipe': { entries: [{ name: 'pipe', mode: 0o010666 }], reason: 'unsafe_archive' },
  'a name twice': { entries: [{ name: 'a' }, { name: 'a' }], reason: 'unsafe_archive' },
  'a file that is also a folder': { entries: [{ name: 'a' }, { name: 'a/b' }], reason: 'unsafe_archive' },
  'a control character': { entries: [{ name: 'a\nb' }], reason: 'unsafe_archive' },
  'a name that is not UTF-8': { entries: [{ name: Buffer.from([0x61, 0xff]), flags: 0 }], reason: 'unsafe_archive' },
  'a name of 300 bytes': { entries: [{ name: 'x'.repeat(300) }], reason: 'unsafe_archive' },
  'a path of 10,000 folders': { entries: [{ name: `${'d/'.repeat(10_000)}x` }], reason: 'unsafe_archive' },
  'a size that is too small': {
    entries: [{ name: 'a', content: Buffer.alloc(MIB), sizeSaid: 10 }],
    reason: 'unsafe_archive',
  },
  'a size that is too large': {
    entries: [{ name: 'a', content: 'abc', sizeSaid: 4000 }],
    reason: 'unsafe_archive',
  },
  'a wrong checksum': { entries: [{ name: 'a', content: 'abc', crcSaid: 1 }], reason: 'unsafe_archive' },
  'entries that share bytes': {
    entries: [
      { name: 'a', content: 'abc' },
      { name: 'b', content: 'abc', overlaps: true },
    ],
    reason: 'unsafe_archive',
  },
  'a bomb': {
    entries: Array.from({ length: 12 }, (_, at) => ({ name: `zeros-${at}`, content: Buffer.alloc(16 * MIB) })),
    reason: 'unsafe_archive',
  },
  'a path upwards behind 65,000 others': {
    entries: Array.from({ length: 65_000 }, (_, at) => ({ name: `${at}/x/y/z` })).concat({ name: '../x' }),
    reason: 'unsafe_archive',
  },
  'an encrypted entry': { entries: [{ name: 'a', content: 'abc', flags: 0x801 }], reason: 'encrypted' },
  'an unknown method': { entries: [{ name: 'a', content: 'abc', method: 14 }], reason: 'unknown_method' },
}

/** Only the list of an archive, with so many entries that all claim the same bytes. */
const listOf = (count: number): Buffer => {
  const empty = zipOf([{ name: '0000000' }])
  const local = empty.subarray(0, empty.indexOf('PK\u0001\u0002', 'latin1'))
  const end = empty.subarray(empty.indexOf('PK\u0005\u0006', 'latin1'))
  const entry = empty.subarray(local.length, empty.length - end.length)
  const list = Buffer.alloc(count * entry.length)
  for (let at = 0; at < count; at += 1) {
    entry.copy(list, at * entry.length)
    list.write(String(at).padStart(7, '0'), (at + 1) * entry.length - 7)
  }
  const last = Buffer.from(end)
  // The number has 16 bits; readers continue for as long as there are entries.
  for (const field of [8, 10]) last.writeUInt16LE(count % 65_536, field)
  last.writeUInt32LE(list.length, 12)
  return Buffer.concat([local, list, last])
}

describe('archives', { timeout: 300_000 }, () => {
  let site: LocalFolder
  const put = (name: string, bytes: Buffer) => writeFile(`${site.html}/${name}`, bytes, { mode: 0o644 })
  const names = () => site.shell('find . -printf "%P %y %m\\n" | sort')

  before(async () => {
    site = await localFolder()
    await site.shell('mkdir to')
  })
  after(() => site?.[Symbol.asyncDispose]())

  for (const [title, { entries, reason }] of Object.entries(UNSAFE))
    it(`with ${title} are refused before anything is written`, async () => {
      await put('bad.zip', zipOf(entries))
      const found = await names()
      const check = ask(site, { op: 'checkZip', path: 'bad.zip', to: 'to' }, Anything)
      await assert.rejects(check, ({ code, details }) => code === 'conflict' && details.reason === reason)
      assert.equal(await names(), found)
    })

  it('with a million entries are refused', async () => {
    await put('bad.zip', listOf(1_000_000))
    const found = await names()
    await assert.rejects(ask(site, { op: 'checkZip', path: 'bad.zip', to: 'to' }, Anything), Problem)
    assert.equal(await names(), found)
  })

  it('that are none are refused', async () => {
    await put('text.zip', Buffer.from('not an archive'))
    await put('cut.zip', zipOf([{ name: 'a', content: 'abc' }]).subarray(0, 60))
    for (const path of ['text.zip', 'cut.zip'])
      await assert.rejects(ask(site, { op: 'checkZip', path, to: 'to' }, Anything), {
        code: 'conflict',
        message: `${path} isn't a zip archive that can be read.`,
      })
  })

  it('are unpacked aside and then placed, with no mode but the usual ones', async () => {
    await put(
      'good.zip',
      zipOf([
        { name: 'plugin/', mode: 0o040777 },
        { name: 'plugin/größe "1".php', content: '<?php // new', mode: 0o104777 },
        { name: 'plugin/lib/a.js', content: 'a', method: 0 },
      ]),
    )
    const request = { path: 'good.zip', to: 'to', id: 'job1' }
    await ask(site, { op: 'checkZip', ...request }, Anything)
    await ask(site, { op: 'unzip', ...request }, Anything)
    assert.equal(await site.shell('ls to'), '')
    for (const _ of ['once', 'twice']) await ask(site, { op: 'placeUnzip', ...request }, Anything)
    const found = await site.shell('cd to; find . -mindepth 1 -printf "%P %y %m\\n" | sort; cat plugin/gr*')
    const expected = ['plugin d 755', 'plugin/größe "1".php f 644', 'plugin/lib d 755', 'plugin/lib/a.js f 644']
    assert.deepEqual(found.split('\n'), [...expected, '<?php // new'])
  })

  it('never replace what is there unless told to, and then keep its mode', async () => {
    await site.shell('chmod 600 to/plugin/lib/a.js; echo old > to/plugin/lib/a.js')
    const request = { path: 'good.zip', to: 'to', id: 'job2' }
    await assert.rejects(ask(site, { op: 'checkZip', ...request }, Anything), { code: 'conflict' })
    assert.equal(await site.shell('cat to/plugin/lib/a.js'), 'old\n')
    for (const op of ['checkZip', 'unzip', 'placeUnzip']) await ask(site, { op, ...request, overwrite: true }, Anything)
    assert.equal(await site.shell('cat to/plugin/lib/a.js; stat -c %a to/plugin/lib/a.js'), 'a600\n')
  })

  it('are made of files and folders alone, and can be unpacked again', async () => {
    await site.shell(
      'mkdir -p from/deep again; echo 1 > "from/deep/a b"; ln -s /etc/passwd from/link; mkfifo from/pipe',
    )
    const packed = await ask(site, { op: 'zip', paths: ['from'], to: 'from.zip' }, z.object({ skipped: z.number() }))
    assert.equal(packed.skipped, 2)
    for (const op of ['checkZip', 'unzip', 'placeUnzip'])
      await ask(site, { op, path: 'from.zip', to: 'again', id: 'job3' }, Anything)
    assert.equal(await site.shell('cd again; find . -type f -o -type l'), './from/deep/a b\n')
    await site.shell("touch 'from/back\\slash'")
    await assert.rejects(ask(site, { op: 'zip', paths: ['from'], to: 'two.zip' }, Anything), { code: 'conflict' })
    await assert.rejects(ask(site, { op: 'zip', paths: ['to'], to: 'from.zip' }, Anything), { code: 'conflict' })
  })
})
