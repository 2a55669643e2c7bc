import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { LocalHost } from '#platform/host/local-host.ts'
import { startMirror } from '#test/support/wordpress-org.ts'
import { fetchCore } from './fetch-core.ts'
import { fetchStudioPackage, STUDIO } from './npm-package.ts'
import { readChecksums } from './releases.ts'
import { unpackCore } from './unpack-core.ts'

const host = new LocalHost()
const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
/** Nothing listens there. */
const NOWHERE = { api: 'http://127.0.0.1:1', downloads: 'http://127.0.0.1:1', retryDelayMs: 10 }

void describe('WordPress without the service', { timeout: 10 * 60_000, concurrency: 1 }, () => {
  let folder = ''
  const place = () => ({ host, cacheDir: `${folder}/cache` })
  const unpack = async (archive: string, name: string) => {
    await mkdir(`${folder}/${name}`)
    await unpackCore(host, { archive, folder: `${folder}/${name}`, owner })
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fleetpress-offline-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  void it('comes whole from the package of npm, once for all who ask', async t => {
    const ask = (locale: string) => fetchCore({ ...place(), version: 'latest', locale, service: NOWHERE })
    const started = performance.now()
    const [core, same, german, english] = await Promise.all([ask('en_US'), ask('en_US'), ask('de_DE'), ask('fy')])
    t.diagnostic(`first time: ${Math.round(performance.now() - started)} ms`)
    assert.deepEqual([core.version, core.locale, german.locale], [STUDIO.coreVersion, 'en_US', 'de_DE'])
    assert.deepEqual([same, english], [core, core])
    const kept = await readdir(`${folder}/cache`)
    assert.equal(kept.length, 3, kept.join())
    const again = performance.now()
    assert.deepEqual(await ask('en_US'), core)
    t.diagnostic(`second time: ${Math.round(performance.now() - again)} ms`)
    await unpack(core.path, 'core')
    const version = await readFile(`${folder}/core/wp-includes/version.php`, 'utf8')
    assert.ok(version.includes(`$wp_version = '${STUDIO.coreVersion}';`))
    await unpack(german.path, 'german')
    assert.ok((await readdir(`${folder}/german/wp-content/languages`)).includes('de_DE.l10n.php'))
  })

  void it('is the same when a service has it', async () => {
    const mirror = await startMirror()
    try {
      const { version, path } = await fetchCore({ ...place(), version: STUDIO.coreVersion, locale: 'en_US' })
      mirror.addRelease(`/release/wordpress-${version}.tar.gz`, await readFile(path))
      const files = (await readdir(`${folder}/core`, { recursive: true, withFileTypes: true })).filter(f => f.isFile())
      const checksums: Record<string, string> = {}
      for (const { parentPath, name } of files) {
        const md5 = createHash('md5').update(await readFile(join(parentPath, name)))
        checksums[join(parentPath, name).slice(`${folder}/core/`.length)] = md5.digest('hex')
      }
      mirror.answers.set(`/core/checksums/1.0/?version=${version}&locale=en_US`, JSON.stringify({ checksums }))
      mirror.answers.set('/core/version-check/1.7/?locale=en_US', JSON.stringify({ offers: [{ version }] }))
      const wanted = { host, cacheDir: `${folder}/other`, version: 'latest', locale: 'en_US', service: mirror }
      await unpack((await fetchCore(wanted)).path, 'fetched')
      const promised = await readChecksums(mirror, { version, locale: 'en_US' })
      assert.ok(promised.size > 3_000)
      for (const [name, md5] of promised) {
        const found = createHash('md5')
          .update(await readFile(`${folder}/fetched/${name}`))
          .digest('hex')
        assert.equal(found, md5, name)
      }
    } finally {
      mirror.close()
    }
  })

  void it('refuses a package that was damaged on the disk, and fetches it anew', async () => {
    const path = await fetchStudioPackage(place())
    const { size } = await stat(path)
    await truncate(path, size - 1)
    assert.equal(await fetchStudioPackage(place()), path)
    assert.equal((await readFile(path)).length, size)
  })
})
