import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { CommandFailed } from '#platform/host/errors.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { type Entry, tarGz } from '#test/support/wordpress-org.ts'
import { UnsafeArchive } from './errors.ts'
import { unpackCore } from './unpack-core.ts'

const host = new LocalHost()
const isRoot = process.getuid?.() === 0
const owner = isRoot ? { uid: 33, gid: 33 } : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }

void describe('unpackCore', { timeout: 300_000 }, () => {
  let place: string
  let folder: string

  const unpack = async (entries: readonly Entry[] | Buffer) => {
    const archive = `${place}/archive.tar.gz`
    await writeFile(archive, Buffer.isBuffer(entries) ? entries : await tarGz(entries))
    await unpackCore(host, { archive, folder, owner })
  }

  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'fleetpress-unpack-'))
    folder = `${place}/site`
    await mkdir(folder)
  })
  afterEach(() => rm(place, { recursive: true }))

  void it('puts what is below the top folder into place, with plain modes and the time of now', async () => {
    const long = `wordpress/${'d/'.repeat(80)}${'n'.repeat(180)}.php`
    await unpack([
      { name: 'wordpress/', type: 'directory' },
      { name: 'wordpress/index.php', mode: 0o4777, data: 'hello', mtime: new Date(0), uid: 12345 },
      { name: 'wordpress/wp-content/', type: 'directory', mode: 0o1777 },
      { name: 'wordpress/wp-content/ö $(id).txt', data: Buffer.alloc(200_000, 'x') },
      { name: 'wordpress/...', data: 'dots' },
      { name: long, data: 'deep' },
    ])
    assert.equal(await readFile(`${folder}/index.php`, 'utf8'), 'hello')
    const { mode, uid, mtimeMs } = await stat(`${folder}/index.php`)
    assert.deepEqual([mode & 0o7777, uid], [0o644, owner.uid])
    assert.ok(Math.abs(Date.now() - mtimeMs) < 60_000)
    assert.equal((await stat(`${folder}/wp-content`)).mode & 0o7777, 0o755)
    assert.equal((await stat(`${folder}/wp-content/ö $(id).txt`)).size, 200_000)
    assert.equal(await readFile(`${folder}/...`, 'utf8'), 'dots')
    for (const path of ['d', 'd/d', 'wp-content']) assert.equal((await stat(`${folder}/${path}`)).uid, owner.uid)
    assert.equal(await readFile(`${folder}/${long.slice(10)}`, 'utf8'), 'deep')
  })

  void it('refuses links, devices and paths that lead out, and writes nothing outside', async () => {
    const good = { name: 'wordpress/a.php', data: 'x' }
    const evil: Entry[] = [
      { name: 'wordpress/l', type: 'symlink', linkname: '/etc' },
      { name: 'wordpress/h', type: 'link', linkname: '/etc/passwd' },
      { name: 'wordpress/d', type: 'character-device' },
      { name: 'wordpress/f', type: 'fifo' },
      { name: '../CANARY', data: 'x' },
      { name: 'wordpress/../../CANARY', data: 'x' },
      { name: 'wordpress/a/../../../CANARY', data: 'x' },
      { name: `${place}/CANARY`, data: 'x' },
      { name: `wordpress/${place}/CANARY`, data: 'x' },
      { name: 'wordpress/a//CANARY', data: 'x' },
      { name: 'wordpress/./CANARY', data: 'x' },
      { name: 'wordpress/a\\CANARY', data: 'x' },
      { name: 'wordpress/a\nCANARY', data: 'x' },
      { name: 'other/CANARY', data: 'x' },
      { name: 'CANARY', data: 'x' },
    ]
    for (const entry of evil) await assert.rejects(unpack([good, entry]), UnsafeArchive, entry.name)
    const names = [...(await readdir(place, { recursive: true })), ...(await readdir(join(place, '..')))]
    assert.deepEqual(
      names.filter(name => name.includes('CANARY')),
      [],
    )
  })

  void it('fails on an archive that is cut or is none, and on a folder that is not there', async () => {
    const whole = await tarGz([{ name: 'wordpress/a.php', data: Buffer.alloc(300_000, 'x') }])
    await assert.rejects(unpack(whole.subarray(0, whole.length / 2)), UnsafeArchive)
    await assert.rejects(unpack(Buffer.from('no archive')), UnsafeArchive)
    await rm(folder, { recursive: true })
    await assert.rejects(unpack(whole), CommandFailed)
  })
})
