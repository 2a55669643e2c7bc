import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { LocalHost } from '#platform/host/local-host.ts'
import { PAYLOADS } from '#test/generated/payloads.ts'
import { type Mirror, startMirror, tarGz } from '#test/support/wordpress-org.ts'
import { compareVersions } from './compare-versions.ts'
import { UnknownCore, WordpressOrgUnreachable, WrongChecksum } from './errors.ts'
import { fetchCore } from './fetch-core.ts'
import { listVersions, readChecksums } from './releases.ts'

const RELEASE = '/release/wordpress-6.8.1.tar.gz'
const GERMAN = '/release/de_DE/wordpress-6.8.1.tar.gz'
const CHECKSUMS = '/core/checksums/1.0/'
const LATEST = '/core/version-check/1.7/?locale=en_US'

void describe('fetchCore', { timeout: 300_000, concurrency: 1 }, () => {
  let mirror: Mirror
  let cacheDir: string
  let archive: Buffer
  let index: Buffer

  const fetchIt = (version = '6.8.1', locale = 'en_US', signal?: AbortSignal) =>
    fetchCore({
      version,
      locale,
      cacheDir,
      host: new LocalHost(),
      service: { ...mirror, answerMs: 500, retryDelayMs: 10 },
      signal,
    })

  beforeEach(async () => {
    mirror = await startMirror()
    cacheDir = await mkdtemp(join(tmpdir(), 'fleetpress-core-'))
    index = randomBytes(300_000)
    archive = await tarGz([{ name: 'wordpress/index.php', data: index }])
    mirror.addRelease(RELEASE, archive, { 'index.php': index })
  })
  afterEach(async () => {
    mirror.close()
    await rm(cacheDir, { recursive: true })
  })

  void it('downloads a release once, and finds it again without asking', async () => {
    const core = await fetchIt()
    assert.deepEqual([core.version, core.locale], ['6.8.1', 'en_US'])
    assert.equal(core.sha256, createHash('sha256').update(archive).digest('hex'))
    assert.deepEqual(await readFile(core.path), archive)
    assert.deepEqual(mirror.asked, [`${RELEASE}.sha1`, `${CHECKSUMS}?version=6.8.1&locale=en_US`, RELEASE])
    mirror.close()
    assert.deepEqual(await fetchIt(), core)
    assert.deepEqual(await readdir(cacheDir), [core.path.slice(cacheDir.length + 1)])
  })

  void it('downloads once when several ask at once', async () => {
    const cores = await Promise.all([fetchIt(), fetchIt(), fetchIt()])
    assert.equal(new Set(cores.map(({ path }) => path)).size, 1)
    assert.equal(mirror.asked.filter(path => path === RELEASE).length, 1)
  })

  void it('takes the newest release for latest', async () => {
    const offers = [{ version: '6.8' }, { version: '6.8.1' }, { version: '6.8.1-RC1' }]
    mirror.answers.set(LATEST, JSON.stringify({ offers }))
    assert.equal((await fetchIt('latest')).version, '6.8.1')
  })

  void it('brings the language, or English where the language has no release', async () => {
    const german = await tarGz([{ name: 'wordpress/index.php', data: 'de' }])
    mirror.addRelease(GERMAN, german, { 'index.php': 'de' })
    const core = await fetchIt('6.8.1', 'de_DE')
    assert.equal(core.locale, 'de_DE')
    assert.deepEqual(await readFile(core.path), german)
    assert.equal((await fetchIt('6.8.1', 'de_DE_formal')).locale, 'en_US')
    assert.equal((await fetchIt('6.8.1', 'fr_FR')).locale, 'en_US')
    assert.equal(mirror.asked.filter(path => path === RELEASE).length, 1)
  })

  void it('refuses a changed archive, also when the checksum next to it was changed with it', async () => {
    const promised = { 'index.php': index, 'wp-content/index.php': 'silence' }
    const whole = { name: 'wordpress/index.php', data: index }
    const others: Record<string, Parameters<typeof tarGz>[0]> = {
      'another content': [{ name: 'wordpress/index.php', data: '<?php evil();' }],
      'one file more': [whole, { name: 'wordpress/wp-includes/evil.php', data: '<?php evil();' }],
      'one file less': [],
      'another content of what may be left out': [whole, { name: 'wordpress/wp-content/index.php', data: 'evil' }],
    }
    for (const [title, entries] of Object.entries(others)) {
      mirror.addRelease(RELEASE, await tarGz(entries), promised)
      await assert.rejects(fetchIt(), WrongChecksum, title)
      assert.deepEqual(await readdir(cacheDir), [], title)
    }
    mirror.addRelease(
      RELEASE,
      await tarGz([whole, { name: 'wordpress/wp-content/languages/de_DE.mo', data: 'x' }]),
      promised,
    )
    assert.equal((await fetchIt()).version, '6.8.1')
  })

  void it('refuses a release that one of the two services does not know', async () => {
    mirror.answers.set(`${CHECKSUMS}?version=6.8.1&locale=en_US`, '{"checksums":false}')
    await assert.rejects(fetchIt(), UnknownCore)
    mirror.addRelease(RELEASE, archive, { 'index.php': index })
    mirror.answers.delete(`${RELEASE}.sha1`)
    await assert.rejects(fetchIt(), UnknownCore)
  })

  void it('refuses an archive with another checksum, and keeps nothing of it', async () => {
    mirror.answers.set(RELEASE, Buffer.concat([archive, Buffer.from('x')]))
    await assert.rejects(fetchIt(), WrongChecksum)
    assert.deepEqual(await readdir(cacheDir), [])
    mirror.answers.set(RELEASE, archive)
    await fetchIt()
  })

  void it('fetches again what was damaged on the disk', async () => {
    const core = await fetchIt()
    await writeFile(core.path, 'damaged')
    assert.deepEqual(await fetchIt(), core)
    assert.deepEqual(await readFile(core.path), archive)
  })

  void it('begins a download that was cut again', async () => {
    let cuts = 2
    mirror.answers.set(RELEASE, response => {
      response.writeHead(200, { 'content-length': archive.length })
      cuts -= 1
      if (cuts < 0) response.end(archive)
      else response.write(archive.subarray(0, 100_000), () => response.destroy())
    })
    assert.deepEqual(await readFile((await fetchIt()).path), archive)
    cuts = 3
    await rm(cacheDir, { recursive: true })
    await assert.rejects(fetchIt(), WordpressOrgUnreachable)
    assert.deepEqual(await readdir(cacheDir), [])
  })

  void it('names what went wrong: no such version, a failing service, silence, nonsense', async () => {
    await assert.rejects(fetchIt('1.2.3'), UnknownCore)
    const answers = [
      (response: ServerResponse) => void response.writeHead(500).end(),
      (response: ServerResponse) => void response.writeHead(429).end(),
      () => {},
      (response: ServerResponse) => void response.write('x'),
      (response: ServerResponse) => void response.destroy(),
      '<html>',
      '',
    ]
    for (const answer of answers) {
      mirror.answers.set(`${RELEASE}.sha1`, answer)
      await assert.rejects(fetchIt(), WordpressOrgUnreachable)
    }
    mirror.close()
    await assert.rejects(fetchIt(), WordpressOrgUnreachable)
    assert.deepEqual(await readdir(cacheDir), [])
  })

  void it('uses the newest it has when the service cannot be reached', async () => {
    mirror.addRelease('/release/wordpress-99.1.tar.gz', archive, { 'index.php': index })
    const newest = await fetchIt('99.1')
    await fetchIt('6.8.1')
    mirror.close()
    assert.deepEqual(await fetchIt('latest'), newest)
  })

  void it('stops when told to', async () => {
    mirror.answers.set(RELEASE, response => void response.write('x'))
    const reason = new Error('enough')
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 100)
    await assert.rejects(fetchIt('6.8.1', 'en_US', controller.signal), error => error === reason)
    assert.deepEqual(await readdir(cacheDir), [])
  })

  void it('asks no one for a version or language that cannot be one', async () => {
    for (const odd of [...PAYLOADS, '6.8.1/../x', '6', '6.8.1.2', '6.8.1\n']) {
      await assert.rejects(fetchIt(odd), UnknownCore, odd)
      await assert.rejects(readChecksums(mirror, { version: odd, locale: 'en_US' }), UnknownCore, odd)
    }
    for (const odd of [...PAYLOADS.filter(text => !/^[a-z]+$/.test(text)), '../x', 'de-DE', 'constructor']) {
      await assert.rejects(fetchIt('6.8.1', odd), UnknownCore, odd)
      await assert.rejects(fetchIt('latest', odd), UnknownCore, odd)
    }
    assert.deepEqual(mirror.asked, [])
  })

  void it('lists versions and the checksums of a release', async () => {
    mirror.answers.set('/core/stable-check/1.0/', JSON.stringify({ '6.8.1': 'latest', '6.8': 'insecure' }))
    assert.deepEqual(
      [...(await listVersions(mirror))],
      [
        ['6.8.1', 'latest'],
        ['6.8', 'insecure'],
      ],
    )
    const path = '/core/checksums/1.0/?version=6.8.1&locale=en_US'
    const release = { version: '6.8.1', locale: 'en_US' }
    const md5 = createHash('md5').update('x').digest('hex')
    mirror.answers.set(path, JSON.stringify({ checksums: { 'index.php': md5 } }))
    assert.deepEqual([...(await readChecksums(mirror, release))], [['index.php', md5]])
    mirror.answers.set(path, JSON.stringify({ checksums: false }))
    await assert.rejects(readChecksums(mirror, release), UnknownCore)
    mirror.answers.set(path, '[]')
    await assert.rejects(readChecksums(mirror, release), WordpressOrgUnreachable)
    const ordered = ['6.9-beta1', '6.8.1', '6.10', '6.9', '6.8'].toSorted(compareVersions)
    assert.deepEqual(ordered, ['6.8', '6.8.1', '6.9-beta1', '6.9', '6.10'])
  })
})
