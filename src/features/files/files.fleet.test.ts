import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { systemActor } from '#app/world.ts'
import { ask as askFolder, getSite, runningFolder } from '#features/sites/index.ts'
import type { Vps } from '#test/fleet/vps.ts'
import { endedOn, logOn } from '#test/support/drive-panel.ts'
import { zipOf } from '#test/support/files/zip.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import type { FileEntry } from './contract.ts'
import { forgetIdleUploads } from './uploads/forget-idle.ts'

const SLUG = 'hello'
const CONTAINER = `fleetpress-site-${SLUG}`
const MIB = 1024 ** 2
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

interface Options {
  method?: 'GET' | 'PUT' | 'POST' | 'DELETE'
  query?: Record<string, string>
  raw?: Buffer | string
  body?: unknown
  headers?: Record<string, string>
  level?: 'read-only' | 'manage'
}

describe('the files of a site over HTTP', { timeout: 15 * 60_000 }, () => {
  let house: SiteHouse
  let server: Vps

  before(async () => {
    house = await siteHouse(1)
    server = house.servers[0] ?? assert.fail()
    await house.create(SLUG)
  })
  after(() => house?.[Symbol.asyncDispose]())

  const ask = async (path: string, { method, query, raw, body, headers, level = 'manage' }: Options = {}) => {
    const url = `/api/sites/${SLUG}/files${path}?${new URLSearchParams(query).toString()}`
    const type = raw === undefined ? {} : { 'content-type': 'application/octet-stream' }
    const answer = await house.panel.server.inject({
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      url,
      headers: { host: 'localhost:18080', authorization: `Bearer ${house.panel.token[level]}`, ...type, ...headers },
      ...(raw === undefined && body === undefined ? {} : { payload: raw ?? (body as object) }),
    })
    return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload, json: () => answer.json() }
  }
  const inSite = async (script: string) => {
    const { stdout, stderr, exitCode } = await server.exec(['docker', 'exec', CONTAINER, 'bash', '-c', script])
    assert.equal(exitCode, 0, stderr)
    return stdout
  }
  const list = async (path: string) => (await ask('', { query: { path } })).json().entries as FileEntry[]
  const put = (path: string, raw: Buffer | string, headers = {}, query = {}) =>
    ask('/content', { method: 'PUT', query: { path, ...query }, raw, headers })

  it('lists a folder for everyone, and its contents for Manage only', async () => {
    const answer = await ask('', { level: 'read-only' })
    assert.equal(answer.status, 200)
    const { path, writable, truncated, entries } = answer.json()
    assert.deepEqual([path, writable, truncated], ['', true, false])
    const config = entries.find((entry: FileEntry) => entry.name === 'wp-config.php')
    assert.deepEqual([config.kind, config.mode, config.owner, config.target], ['file', '0640', 'www-data', null])
    const refused = await ask('/content', { query: { path: 'wp-config.php' }, level: 'read-only' })
    assert.equal(refused.status, 403)
    assert.equal((await ask('', { query: { path: 'nope' } })).status, 404)
    assert.equal((await ask('', { query: { path: 'index.php' } })).status, 409)
  })

  it('shows the first 10,000 entries of a folder, and says that there are more', async () => {
    await inSite('mkdir many && cd many && touch {1..10001}')
    const { truncated, entries } = (await ask('', { query: { path: 'many' } })).json()
    assert.deepEqual([truncated, entries.length], [true, 10_000])
    assert.equal((await ask('/delete', { body: { paths: ['many'] } })).json().deleted, 1)
  })

  it('works with any name, and shows what is not UTF-8 for what it is', async () => {
    const names = [
      'a b',
      `quote"'$(id)`,
      'new\nline',
      '-rf',
      'grüße 🎉',
      'back\\slash',
      '%2e%2e',
      '~',
      'e\u0301',
      '\u00e9',
    ]
    await ask('/mkdir', { body: { path: 'names' } })
    for (const name of names) assert.equal((await put(`names/${name}`, name)).status, 200, name)
    assert.deepEqual((await list('names')).map(entry => entry.name).toSorted(), names.toSorted())
    for (const name of names) {
      const { bytes } = await ask('/content', { query: { path: `names/${name}` } })
      assert.equal(bytes.toString(), name)
    }
    await inSite(`cd names && printf x > "$(printf 'byte\\377')"`)
    const [odd] = (await list('names')).filter(entry => !entry.isNameValid)
    assert.equal(odd?.name, 'byte\uFFFD')
    assert.equal((await ask('/content', { query: { path: 'names/byte\uFFFD' } })).status, 404)
    assert.equal((await ask('/delete', { body: { paths: ['names'] } })).json().deleted, 1)
  })

  it('never leaves the folder of the site', async () => {
    await inSite('ln -s /etc etc-link && ln -s ../../../etc/passwd up-link && mkfifo pipe')
    const outside = ['../x', '/etc/passwd', 'a/../../x', './x', 'a//b', 'a/', '..', 'x'.repeat(5000), 'a\0b']
    for (const path of outside) {
      assert.equal((await ask('/content', { query: { path } })).status, 400, path)
      assert.equal((await put(path, 'x')).status, 400, path)
      assert.equal((await ask('/delete', { body: { paths: ['index.php', path] } })).status, 400, path)
    }
    for (const path of ['etc-link', 'etc-link/passwd', 'up-link']) {
      const answer = await ask('/content', { query: { path } })
      assert.equal(answer.status, 403, path)
      assert.equal((await ask('', { query: { path } })).status, 403, path)
    }
    assert.equal((await put('etc-link/x', 'x')).status, 403)
    assert.equal((await put('up-link', 'x')).status, 409)
    assert.equal((await ask('/content', { query: { path: 'pipe' } })).status, 409)
    assert.equal((await ask('/download', { query: { path: 'etc-link' } })).status, 409)
    assert.equal((await ask('/chmod', { body: { path: 'up-link', mode: '777' } })).status, 409)
    assert.equal((await ask('/delete', { body: { paths: ['etc-link', 'up-link', 'pipe'] } })).json().deleted, 3)
    assert.match(await inSite('ls -d /etc/passwd'), /passwd/)
  })

  it('saves what was read and nothing else, in one step, with its mode', async () => {
    const created = await put('theme.php', '<?php echo 1;', { 'if-none-match': '*' })
    assert.deepEqual([created.status, created.json().etag], [200, sha256('<?php echo 1;')])
    assert.equal((await put('theme.php', 'x', { 'if-none-match': '*' })).status, 412)
    await ask('/chmod', { body: { path: 'theme.php', mode: '640' } })
    const read = await ask('/content', { query: { path: 'theme.php' } })
    const etag = String(read.headers.etag)
    assert.equal(etag, `"${sha256('<?php echo 1;')}"`)
    const inode = await inSite('stat -c %i theme.php')
    const broken = await put('theme.php', '<?php\necho (;', { 'if-match': etag }, { lint: 'php' })
    assert.equal(broken.status, 422)
    assert.equal(broken.json().error.code, 'syntax_error')
    assert.equal(broken.json().error.details.line, 2)
    assert.equal(await inSite('cat theme.php; stat -c %i theme.php'), `<?php echo 1;${inode}`)
    const saved = await put('theme.php', '<?php echo 2;', { 'if-match': etag }, { lint: 'php' })
    assert.deepEqual([saved.status, saved.json().entry.mode], [200, '0640'])
    assert.equal((await put('theme.php', '<?php echo 3;', { 'if-match': etag })).status, 412)
    assert.equal(await inSite('cat theme.php; stat -c " %U %a" theme.php'), '<?php echo 2; www-data 640\n')
  })

  it('takes 8 MiB and not a byte more', async () => {
    const most = randomBytes(8 * MIB)
    assert.equal((await put('big.bin', most)).status, 200)
    assert.deepEqual((await ask('/content', { query: { path: 'big.bin' } })).bytes, most)
    assert.ok((await put('big.bin', Buffer.concat([most, Buffer.from('x')]))).status >= 400)
    assert.equal((await inSite('sha256sum < big.bin')).slice(0, 64), sha256(most))
    await inSite('echo >> big.bin')
    assert.equal((await ask('/content', { query: { path: 'big.bin' } })).status, 400)
  })

  it('takes a file in chunks, says where to continue, and repeats its last answer', async () => {
    const whole = randomBytes(20 * MIB + 7)
    const path = 'wp-content/film.mp4'
    const send = (from: number, to: number, id = 'upload-0001', query = {}) =>
      ask(`/uploads/${id}`, {
        method: 'PUT',
        query: { path, offset: String(from), size: String(whole.length), ...query },
        raw: whole.subarray(from, to),
      })
    assert.deepEqual((await send(0, 8 * MIB)).json(), { received: 8 * MIB, written: false })
    const wrong = await send(0, 8 * MIB)
    assert.deepEqual([wrong.status, wrong.json().error.details], [409, { received: 8 * MIB }])
    assert.deepEqual((await send(16 * MIB, 17 * MIB)).json().error.details, { received: 8 * MIB })
    assert.equal((await send(8 * MIB, 16 * MIB)).status, 200)
    assert.equal(await inSite(`ls ${path} 2>/dev/null || echo none`), 'none\n')
    const done = { received: whole.length, written: true }
    for (const _ of ['once', 'twice']) assert.deepEqual((await send(16 * MIB, whole.length)).json(), done)
    assert.deepEqual((await ask('/download', { query: { path } })).bytes, whole)
    assert.equal((await send(0, MIB, 'upload-0002')).status, 409)
    const tooLarge = await send(0, MIB, 'upload-0005', { path: 'huge.bin', size: String(1024 ** 4) })
    assert.deepEqual([tooLarge.status, tooLarge.json().error.details.reason], [409, 'disk_full'])
    assert.equal((await send(0, MIB, 'upload-0003', { overwrite: 'true' })).status, 200)
    assert.match(await inSite('ls -A wp-content'), /fleetpress-upload-upload-0003/)
    const left = await ask('/uploads/upload-0003', { method: 'DELETE', query: { path } })
    assert.deepEqual(left.json(), { ok: true })
    assert.equal((await send(0, MIB, 'upload-0004', { overwrite: 'true' })).status, 200)
    const later = { ...house.panel.world.scope(systemActor('test')), now: () => Date.now() + 2 * 3_600_000 }
    await forgetIdleUploads(later, house.ids[0] ?? 0, AbortSignal.timeout(60_000))
    assert.doesNotMatch(await inSite('ls -A wp-content'), /fleetpress-upload/)
    assert.equal((await inSite(`sha256sum < ${path}`)).slice(0, 64), sha256(whole))
  })

  it('sends a folder packed, and three downloads at a time', async () => {
    const packed = await ask('/download', { query: { path: 'wp-includes/js' } })
    assert.match(String(packed.headers['content-disposition']), /filename="js.tar.gz"/)
    assert.match(gunzipSync(packed.bytes).toString('latin1'), /\.\/js\/jquery\/jquery\.min\.js/)
    await inSite('truncate -s 60M huge.bin')
    const query = { query: { path: 'huge.bin' } }
    const statuses = (await Promise.all(Array.from({ length: 5 }, () => ask('/download', query)))).map(a => a.status)
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [200, 200, 200, 429, 429],
    )
    assert.equal((await ask('/download', query)).status, 200)
    await inSite('rm huge.bin')
  })

  it('finds names and contents', async () => {
    await inSite('mkdir found && cd found && echo "needle [1]" > a.php && echo "NEEDLE" > b.txt && mkdir needle-folder')
    const search = async (query: Record<string, string>) => {
      const answer = await ask('/search', { query: { path: 'found', ...query } })
      return answer.status === 200
        ? answer
            .json()
            .matches.map((one: { path: string }) => one.path)
            .toSorted()
        : answer.status
    }
    assert.deepEqual(await search({ q: 'needle', mode: 'content' }), ['found/a.php', 'found/b.txt'])
    assert.deepEqual(await search({ q: 'needle', mode: 'content', case: 'true' }), ['found/a.php'])
    assert.deepEqual(await search({ q: 'needle', mode: 'content', include: '*.txt' }), ['found/b.txt'])
    assert.deepEqual(await search({ q: '[1]', mode: 'content' }), ['found/a.php'])
    assert.deepEqual(await search({ q: 'n.+\\[\\d\\]', mode: 'content', regex: 'true' }), ['found/a.php'])
    assert.deepEqual(await search({ q: 'FOLDER' }), ['found/needle-folder'])
    assert.equal(await search({ q: '(', mode: 'content', regex: 'true' }), 400)
    assert.equal(await search({ q: '(', regex: 'true' }), 400)
    assert.equal(await search({ q: '' }), 400)
    const site = runningFolder(
      house.panel.world.scope(systemActor('test')),
      await getSite(house.panel.foundation.database.db, SLUG),
    )
    const limits = { query: '.', inContent: true, isRegex: true, maxMatches: 1_000_000, timeoutMs: 1 }
    const TimedOut = z.object({ timedOut: z.boolean() })
    assert.deepEqual(await askFolder(site, { op: 'search', path: '', search: limits }, TimedOut), { timedOut: true })
  })

  it('copies, moves, deletes and gives files back to the site', async () => {
    const post = (path: string, body: unknown) => ask(path, { body })
    assert.equal((await post('/copy', { from: 'found', to: 'copied' })).json().entry.name, 'copied')
    assert.equal((await post('/copy', { from: 'found', to: 'copied' })).status, 409)
    assert.equal((await post('/copy', { from: 'found', to: 'found/in' })).status, 409)
    assert.equal((await post('/move', { from: 'copied/a.php', to: 'copied/b.txt' })).status, 409)
    assert.equal((await post('/move', { from: 'copied/a.php', to: 'copied/b.txt', overwrite: true })).status, 200)
    assert.equal(await inSite('cat copied/b.txt; ls copied'), 'needle [1]\nb.txt\nneedle-folder\n')
    assert.equal((await post('/delete', { paths: ['copied', 'nope'] })).status, 404)
    assert.equal(await inSite('ls -d copied'), 'copied\n')
    assert.equal((await post('/delete', { paths: Array(201).fill('x') })).status, 400)
    assert.equal((await post('/delete', { paths: ['copied', 'found'] })).json().deleted, 2)
    await server.exec(['bash', '-c', `chown -R 0:0 /srv/fleetpress/sites/${SLUG}/html/wp-content/themes`])
    assert.equal((await put('wp-content/themes/new.css', 'x')).status, 403)
    assert.deepEqual((await post('/fix-ownership', { path: 'wp-content' })).json(), { ok: true })
    assert.equal((await put('wp-content/themes/new.css', 'x')).status, 200)
    assert.equal(await inSite('find . ! -user www-data'), '')
  })

  it('packs and unpacks in jobs, and refuses unsafe archives', async () => {
    await inSite('mkdir -p work/sub && echo one > work/sub/one')
    const start = async (path: string, body: unknown) => (await ask(path, { body })).json().job
    const compress = { paths: ['work'], to: 'work.zip' }
    const { job: packed } = { job: await start('/compress', compress) }
    assert.deepEqual(await house.succeeded(packed.id), { path: 'work.zip', files: 1, skipped: 0 })
    await ask('/mkdir', { body: { path: 'out' } })
    await house.succeeded((await start('/extract', { path: 'work.zip', to: 'out' })).id)
    assert.equal(await inSite('cat out/work/sub/one; ls -A out'), 'one\nwork\n')
    assert.equal((await ask('/compress', { body: { ...compress, to: 'sub/work.zip' } })).status, 400)
    await put(
      'bad.zip',
      zipOf([
        { name: 'fine.txt', content: 'x' },
        { name: '../../../tmp/escaped', content: 'x' },
      ]),
    )
    for (const body of [
      { path: 'bad.zip', to: 'out' },
      { path: 'work.zip', to: 'out' },
    ]) {
      const job = await endedOn(house.panel, await start('/extract', body), 120_000)
      assert.equal(job.status, 'failed', await logOn(house.panel, job))
      assert.equal(await inSite('ls -A out'), 'work\n')
    }
  })

  it('says so when the site is stopped', async () => {
    await house.succeeded((await house.panel.as('full').siteStop({ params: { slug: SLUG } })).job.id)
    for (const answer of [await ask(''), await put('a', 'x'), await ask('/mkdir', { body: { path: 'x' } })])
      assert.deepEqual([answer.status, answer.json().error.details], [409, { status: 'stopped' }])
  })
})
