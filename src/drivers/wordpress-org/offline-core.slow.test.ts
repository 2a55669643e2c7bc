import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { LocalHost } from '#platform/host/local-host.ts'
import { startMirror } from '#test/support/wordpress-org.ts'
import { WrongChecksum } from './errors.ts'
import { fetchCore } from './fetch-core.ts'
import { fetchStudioPackage, STUDIO } from './npm-package.ts'
import { unpackCore } from './unpack-core.ts'
import { verifyFiles } from './verify-files.ts'

const host = new LocalHost()
const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
const md5Of = (data: Buffer | string) => createHash('md5').update(data).digest('hex')
/** Nothing listens there. */
const NOWHERE = { api: 'http://127.0.0.1:1', downloads: 'http://127.0.0.1:1', retryDelayMs: 10 }

void describe('WordPress without the service', { timeout: 10 * 60_000, concurrency: 1 }, () => {
  let folder = ''
  const cache = () => ({ host, cacheDir: `${folder}/cache` })
  const unpack = async (archive: string, name: string) => {
    await mkdir(`${folder}/${name}`)
    await unpackCore(host, { archive, folder: `${folder}/${name}`, owner })
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fleetpress-offline-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  void it('comes whole from the package of npm, once for all who ask', async t => {
    const ask = (locale: string) => fetchCore({ ...cache(), version: 'latest', locale, service: NOWHERE })
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

  void it('is preferred over a service that has it, and fits the checksums of its files', async () => {
    const mirror = await startMirror()
    try {
      const version = STUDIO.coreVersion
      mirror.answers.set('/core/version-check/1.7/?locale=en_US', JSON.stringify({ offers: [{ version }] }))
      const core = await fetchCore({ ...cache(), version: 'latest', locale: 'en_US', service: mirror })
      assert.equal(mirror.asked.length, 1, mirror.asked.join())
      const files = (await readdir(`${folder}/core`, { recursive: true, withFileTypes: true })).filter(f => f.isFile())
      const checksums = new Map<string, string>()
      for (const { parentPath, name } of files) {
        const path = join(parentPath, name)
        checksums.set(path.slice(`${folder}/core/`.length), md5Of(await readFile(path)))
      }
      assert.ok(checksums.size > 3_000)
      await verifyFiles(core.path, checksums)
      await assert.rejects(verifyFiles(core.path, checksums.set('wp-login.php', md5Of(''))), WrongChecksum)
    } finally {
      mirror.close()
    }
  })

  void it('refuses a package that was damaged on the disk, and fetches it again', async () => {
    const path = await fetchStudioPackage(cache())
    const { size } = await stat(path)
    await truncate(path, size - 1)
    assert.equal(await fetchStudioPackage(cache()), path)
    assert.equal((await readFile(path)).length, size)
  })
})
