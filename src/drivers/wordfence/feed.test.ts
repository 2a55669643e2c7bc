import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { type Mirror, startMirror } from '#test/support/wordpress-org.ts'
import { FeedUnreachable, readFeed } from './feed.ts'
import { splitRecords } from './split-records.ts'

const record = (id: string, title = 'A "quoted" {brace} \\ title') => ({
  id,
  title,
  software: [
    {
      type: 'plugin',
      name: 'Shop',
      slug: 'shop',
      affected_versions: {
        '* - 1.2': { from_version: '*', from_inclusive: true, to_version: '1.2', to_inclusive: true },
      },
      patched: true,
      patched_versions: ['1.3'],
    },
  ],
  references: ['https://example.com/a'],
  cvss: { vector: 'CVSS:3.1', score: 9.8, rating: 'Critical' },
  cve: 'CVE-2026-1',
})

const all = <T>(items: AsyncIterable<T>): Promise<T[]> => Readable.from(items).toArray() as Promise<T[]>

describe('the vulnerability feed', { timeout: 60_000 }, () => {
  let mirror: Mirror
  const asked = () => ({ url: `${mirror.api}/feed`, token: '', etag: null, lastModified: null })

  before(async () => {
    mirror = await startMirror()
  })
  after(() => mirror.close())

  it('is read record by record, wherever it is cut', async () => {
    const whole = { a: record('a'), b: record('b', 'Ä }{ "'), c: { list: [{ x: 1 }], text: '\\"}' } }
    const text = Buffer.from(JSON.stringify(whole, null, 2))
    for (const size of [1, 7, 100, 10_000]) {
      const chunks = (async function* () {
        for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size)
      })()
      const found = (await all(splitRecords(chunks))).map(text => JSON.parse(text) as unknown)
      assert.deepEqual(found, Object.values(whole), `${size} bytes at a time`)
    }
    const cut = (async function* () {
      yield text.subarray(0, text.length - 3)
    })()
    await assert.rejects(all(splitRecords(cut)), /ends in the middle/)
  })

  it('is asked for with the token and the mark of the copy at hand', async () => {
    mirror.answers.set('/feed', (response, _path, request) => {
      const { authorization, 'if-none-match': known } = request.headers
      if (authorization !== 'Bearer secret') response.writeHead(401).end()
      else if (known === '"1"') response.writeHead(304).end()
      else response.writeHead(200, { etag: '"1"' }).end(JSON.stringify({ a: record('a'), odd: { id: 5 } }))
    })
    await assert.rejects(readFeed(asked()), FeedUnreachable)
    const feed = await readFeed({ ...asked(), token: 'secret' })
    assert.ok(feed !== 'unchanged')
    const records = await all(feed.records)
    assert.deepEqual(
      records.map(({ id, cvss, cve }) => [id, cvss?.rating, cve]),
      [['a', 'critical', 'CVE-2026-1']],
      'what is not a vulnerability is left out',
    )
    assert.equal(await readFeed({ ...asked(), token: 'secret', ...feed.mark }), 'unchanged')
  })

  it('is refused when it cannot be reached or read', async () => {
    mirror.answers.set('/feed', 'not json at all')
    const feed = await readFeed(asked())
    assert.ok(feed !== 'unchanged')
    await assert.rejects(all(feed.records), FeedUnreachable)
    await assert.rejects(readFeed({ ...asked(), url: 'http://127.0.0.1:1/feed' }), FeedUnreachable)
  })
})
