import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Directory, serveDirectory } from '#test/support/wordpress-directory.ts'
import { type Mirror, startMirror } from '#test/support/wordpress-org.ts'
import { checkUpdates, readInfo, readPluginChecksums } from './directory.ts'
import { UnknownItem, UnknownPackage, WordpressOrgUnreachable } from './errors.ts'
import { fetchPackage, packagePathOf } from './fetch-package.ts'

const OFFICIAL = 'https://downloads.wordpress.org'

describe('the directory of WordPress.org', { timeout: 60_000 }, () => {
  let mirror: Mirror
  let directory: Directory
  let cacheDir: string
  const mirrored = () => ({ api: mirror.api, downloads: mirror.downloads, retryDelayMs: 1 })

  before(async () => {
    mirror = await startMirror()
    directory = serveDirectory(mirror)
    cacheDir = await mkdtemp(join(tmpdir(), 'fleetpress-packages-'))
    for (const version of ['1.9', '1.10'])
      directory.publish({ kind: 'plugin', slug: 'shop', version, requiresPhp: '8.0', files: { 'shop.php': version } })
    directory.publish({ kind: 'theme', slug: 'plain', version: '2.0', files: { 'style.css': 'x' } })
  })
  after(async () => {
    mirror.close()
    await rm(cacheDir, { recursive: true, force: true })
  })

  it('tells what can be installed', async () => {
    assert.deepEqual(await readInfo(mirrored(), 'plugin', 'shop'), {
      version: '1.10',
      packageUrl: `${OFFICIAL}/plugin/shop.1.10.zip`,
      requiresPhp: '8.0',
      requiresWordpress: '',
    })
    assert.equal((await readInfo(mirrored(), 'theme', 'plain')).version, '2.0')
    for (const slug of ['nothing', '../shop', ''])
      await assert.rejects(readInfo(mirrored(), 'plugin', slug), UnknownItem)
  })

  it('tells which updates there are, asked as WordPress asks', async () => {
    const installed = [
      { key: 'shop/shop.php', title: 'Shop', version: '1.9' },
      { key: 'own/own.php', title: 'Own', version: '1' },
    ]
    const updates = await checkUpdates(mirrored(), 'plugin', installed)
    assert.deepEqual([...updates.keys()], ['shop/shop.php'])
    assert.equal(updates.get('shop/shop.php')?.version, '1.10')
    const themes = await checkUpdates(mirrored(), 'theme', [{ key: 'plain', title: 'Plain', version: '2.0' }])
    assert.equal(themes.size, 0)
    mirror.answers.set('/themes/update-check/1.1/', '{"themes": []}')
    assert.equal((await checkUpdates(mirrored(), 'theme', [{ key: 'x', title: 'x', version: '1' }])).size, 0)
    mirror.answers.set('/themes/update-check/1.1/', 'not json')
    const broken = checkUpdates(mirrored(), 'theme', [{ key: 'x', title: 'x', version: '1' }])
    await assert.rejects(broken, WordpressOrgUnreachable)
  })

  it('gives out checksums where the author has published them', async () => {
    const sums = await readPluginChecksums(mirrored(), 'shop', '1.10')
    assert.match(sums?.['shop.php']?.[0] ?? '', /^[0-9a-f]{64}$/)
    assert.equal(await readPluginChecksums(mirrored(), 'shop', '9'), undefined)
  })

  it('has each package downloaded once', async () => {
    const path = packagePathOf(mirrored(), `${OFFICIAL}/plugin/shop.1.10.zip`) ?? ''
    const before = mirror.asked.length
    const wanted = { service: mirrored(), path, cacheDir }
    const [first, second] = await Promise.all([fetchPackage(wanted), fetchPackage(wanted)])
    assert.equal(first, second)
    assert.equal(mirror.asked.length, before + 1)
    assert.equal((await readFile(first)).subarray(0, 2).toString(), 'PK')
    await assert.rejects(fetchPackage({ ...wanted, path: '/plugin/none.zip' }), UnknownPackage)
  })

  it('is not taken for the place of packages that others give out', () => {
    for (const url of [
      'https://example.com/plugin/shop.zip',
      `${OFFICIAL}.example.com/plugin/shop.zip`,
      `${OFFICIAL}/plugin/../shop.zip`,
      `${OFFICIAL}/release/wordpress.zip`,
      'file:///etc/passwd',
      '',
    ])
      assert.equal(packagePathOf(mirrored(), url), undefined, url)
    assert.equal(packagePathOf(mirrored(), `${mirror.downloads}/theme/plain.2.0.zip`), '/theme/plain.2.0.zip')
  })
})
