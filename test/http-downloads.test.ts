import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { client, type Transport } from '#platform/contract/client.ts'
import { fetchBody } from '#platform/contract/fetch-body.ts'
import { Problem, ProblemBody } from '#platform/contract/problem.ts'
import { faultsOf, type Seen } from './generated/answers.ts'
import { type BytesHouse, openBytesHouse, until } from './generated/bytes-house.ts'
import { bearer } from './generated/callers.ts'
import { bytesContract, sha256 } from './generated/planted-bytes.ts'

const MIB = 1_048_576
const FILE = '/api/planted/file?name=hello.txt'
const HELLO = Buffer.from('hello, world')

let house: BytesHouse
before(async () => {
  house = await openBytesHouse()
})
after(() => house.panel.stop())

const ask: BytesHouse['ask'] = (path, sent) => house.ask(path, sent)

describe('a download', () => {
  it('comes with its length, ETag, name and type, and is only ever saved', async () => {
    const answer = await ask(FILE)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.bytes, HELLO)
    assert.equal(answer.headers['content-length'], '12')
    assert.equal(answer.headers.etag, `"${sha256(HELLO)}"`)
    assert.equal(answer.headers['content-type'], 'application/octet-stream')
    assert.equal(answer.headers['accept-ranges'], 'bytes')
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.match(String(answer.headers['content-disposition']), /^attachment; filename="hello.txt"/)
  })

  it('answers HEAD with the same headers and opens nothing', async () => {
    const { opened } = house.seen
    const [get, head] = [await ask(FILE), await ask(FILE, { method: 'HEAD' })]
    const passing = ['date', 'connection', 'keep-alive', 'x-request-id']
    const same = ({ headers }: Seen) =>
      Object.entries(headers)
        .filter(([name]) => !passing.includes(name))
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
    assert.deepEqual(same(head), same(get))
    assert.equal(head.text, '')
    assert.equal(house.seen.opened, opened + 1)
  })

  it('gives the part that is asked for', async () => {
    for (const [range, part, shown] of [
      ['bytes=0-4', 'hello', '0-4'],
      ['bytes=7-', 'world', '7-11'],
      ['bytes=-3', 'rld', '9-11'],
      ['bytes=-300', 'hello, world', '0-11'],
      ['bytes=7-300', 'world', '7-11'],
      ['bytes=11-11', 'd', '11-11'],
    ] as const) {
      const answer = await ask(FILE, { headers: { range } })
      assert.deepEqual(
        [answer.status, answer.text, answer.headers['content-range'], answer.headers['content-length']],
        [206, part, `bytes ${shown}/12`, String(part.length)],
        range,
      )
    }
  })

  it('gives all of it for what is not one part', async () => {
    for (const range of ['bytes=4-2', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-', 'bytes=a-b', 'x']) {
      const answer = await ask(FILE, { headers: { range } })
      assert.deepEqual([answer.status, answer.text], [200, 'hello, world'], range)
    }
  })

  it('says 416 and how long it is when there is no such part', async () => {
    for (const range of ['bytes=12-', 'bytes=100-200', 'bytes=-0']) {
      const answer = await ask(FILE, { headers: { range } })
      assert.equal(answer.status, 416, range)
      assert.equal(answer.headers['content-range'], 'bytes */12')
      assert.equal(answer.headers.etag, undefined)
      faultsOf(answer)
    }
  })

  it('continues only if it is still the same', async () => {
    const etag = `"${sha256(HELLO)}"`
    const ranged = { range: 'bytes=7-' }
    assert.equal((await ask(FILE, { headers: { ...ranged, 'if-range': etag } })).status, 206)
    assert.equal((await ask(FILE, { headers: { ...ranged, 'if-range': '"other"' } })).text, 'hello, world')
  })

  it('is not sent again to who has it, and not at all to who has another', async () => {
    const etag = `"${sha256(HELLO)}"`
    for (const ifNoneMatch of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const answer = await ask(FILE, { headers: { 'if-none-match': ifNoneMatch } })
      assert.deepEqual([answer.status, answer.text, answer.headers.etag], [304, '', etag], ifNoneMatch)
    }
    assert.equal((await ask(FILE, { headers: { 'if-none-match': '"x"' } })).status, 200)
    assert.equal((await ask(FILE, { headers: { 'if-match': etag } })).status, 200)
    assert.equal((await ask(FILE, { headers: { 'if-match': '"x"' } })).status, 412)
    assert.equal((await ask(FILE, { headers: { 'if-match': 'x' } })).status, 400)
  })

  it('of unknown length is sent as it is made, under any name', async () => {
    const answer = await ask('/api/planted/archive')
    assert.deepEqual([answer.status, answer.text], [200, 'first part,second part'])
    assert.equal(answer.headers['content-length'], undefined)
    assert.equal(answer.headers['content-type'], 'application/gzip')
    assert.equal(
      answer.headers['content-disposition'],
      `attachment; filename="archive _ gr__e.tar.gz"; filename*=UTF-8''archive%20%E2%80%93%20gr%C3%B6%C3%9Fe.tar.gz`,
    )
  })

  it('that fails half way never looks complete', async () => {
    await assert.rejects(ask('/api/planted/broken'), TypeError)
    assert.match(house.log.splice(0).join(), /the server was lost.*a download was interrupted/)
  })

  it('of a file that is not there is an error like any other', async () => {
    const answer = await ask('/api/planted/file?name=nothing')
    assert.deepEqual([answer.status, answer.headers.etag], [404, undefined])
  })

  it('that cannot be opened is an error like any other', async () => {
    const answer = await ask('/api/planted/file?name=unreachable')
    assert.deepEqual(
      [answer.status, answer.headers['content-type'], answer.headers['content-disposition']],
      [409, 'application/json; charset=utf-8', undefined],
    )
    assert.equal(ProblemBody.parse(JSON.parse(answer.text)).error.message, 'The server is offline.')
  })

  it('is released when the caller leaves, without a word in the log', async () => {
    const { opened } = house.seen
    const stop = new AbortController()
    const response = await fetch(`${house.base}/api/planted/large?size=${512 * MIB}`, {
      headers: bearer(house.panel.token.full),
      signal: stop.signal,
    })
    await response.body?.getReader().read()
    assert.ok(house.seen.closed < opened + 1)
    stop.abort()
    await until(() => house.seen.closed === house.seen.opened, 'the bytes are still held open')
    assert.deepEqual(house.log, [])
  })
})

describe('the typed client', () => {
  const send: Transport = async outgoing => {
    const { body, type } = fetchBody(outgoing)
    const headers = { ...bearer(house.panel.token.full), ...outgoing.headers, ...(type && { 'content-type': type }) }
    const url = `${house.base}${outgoing.url}`
    const response = await fetch(url, { method: outgoing.method, headers, ...(body === undefined ? {} : { body }) })
    if (response.ok && outgoing.wantsBytes) return response
    const answer: unknown = await response.json()
    if (response.ok) return answer
    const { error } = ProblemBody.parse(answer)
    throw new Problem(error.code, error.message, error.details)
  }
  const planted = client(bytesContract, send)

  it('sends and gets bytes, and resumes', async () => {
    const bytes = Buffer.from('typed bytes')
    const query = { name: 'typed.txt' }
    const { etag } = await planted.plantedFileWrite({ query, upload: new Blob([bytes]), ifNoneMatch: '*' })
    await assert.rejects(
      planted.plantedFileWrite({ query, upload: new Blob(['x']), ifMatch: 'other' }),
      (error: Problem) => error.code === 'precondition_failed',
    )
    const whole = await planted.plantedFileRead({ query })
    assert.deepEqual([whole.filename, whole.etag, whole.sizeBytes, whole.start], ['typed.txt', etag, 11, 0])
    assert.equal(await new Response(whole.bytes).text(), 'typed bytes')
    const rest = await planted.plantedFileRead({ query, resumeAt: { start: 6, etag } })
    assert.deepEqual([rest.start, rest.sizeBytes], [6, 11])
    assert.equal(await new Response(rest.bytes).text(), 'bytes')
    const changed = await planted.plantedFileRead({ query, resumeAt: { start: 6, etag: 'other' } })
    assert.equal(changed.start, 0)
    assert.equal((await planted.plantedArchive()).filename, 'archive – größe.tar.gz')
  })

  it('sends forms', async () => {
    const upload = new File(['zip'], 'a.zip')
    const answer = await planted.plantedForm({ body: { title: 'T', overwrite: 'true' }, upload })
    assert.deepEqual([answer.filename, answer.sizeBytes], ['a.zip', 3])
  })
})
