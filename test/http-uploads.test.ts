import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { faultsOf, problemOf } from './generated/answers.ts'
import { type BytesHouse, openBytesHouse, until } from './generated/bytes-house.ts'
import { bearer } from './generated/callers.ts'
import { formOf, sha256 } from './generated/planted-bytes.ts'

const MIB = 1_048_576
const BYTES_TYPE = { 'content-type': 'application/octet-stream' }

let house: BytesHouse
before(async () => {
  house = await openBytesHouse()
})
after(() => house.panel.stop())

const ask: BytesHouse['ask'] = (path, sent) => house.ask(path, sent)

const put = (path: string, body: Buffer | string, headers: Record<string, string> = {}) =>
  ask(path, { method: 'PUT', body, headers: { ...BYTES_TYPE, ...headers } })

describe('an upload', () => {
  it('arrives as it was sent, and can be read back', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 256))
    const answer = await put('/api/planted/file?name=a.bin', bytes)
    assert.equal(answer.status, 200)
    assert.deepEqual(JSON.parse(answer.text), { name: 'a.bin', etag: sha256(bytes) })
    assert.deepEqual((await ask('/api/planted/file?name=a.bin')).bytes, bytes)
    assert.equal((await put('/api/planted/file?name=empty', '')).status, 200)
    assert.equal((await ask('/api/planted/file?name=empty')).bytes.length, 0)
  })

  it('replaces only what the caller knows, and creates only where nothing is', async () => {
    const path = '/api/planted/file?name=b.txt'
    const created = await put(path, 'one', { 'if-none-match': '*' })
    assert.equal(created.status, 200)
    const { etag } = JSON.parse(created.text) as { etag: string }
    const taken = await put(path, 'two', { 'if-none-match': '*' })
    assert.deepEqual([taken.status, problemOf(taken).details], [412, { etag }])
    assert.equal((await put(path, 'two', { 'if-match': '"other"' })).status, 412)
    assert.equal((await put('/api/planted/file?name=c', 'x', { 'if-match': '*' })).status, 412)
    assert.equal((await put(path, 'two', { 'if-match': etag })).status, 400, 'a condition without quotes was left out')
    assert.equal((await ask(path)).text, 'one')
    assert.equal((await put(path, 'two', { 'if-match': `"${etag}"` })).status, 200)
    assert.equal((await ask(path)).text, 'two')
  })

  it('in parts says where to continue', async () => {
    const path = '/api/planted/uploads/u1?offset='
    assert.deepEqual(JSON.parse((await put(`${path}0`, '12345')).text), { received: 5 })
    const wrong = await put(`${path}3`, '45678')
    assert.deepEqual([wrong.status, problemOf(wrong).details], [409, { received: 5 }])
    assert.deepEqual(JSON.parse((await put(`${path}5`, '678')).text), { received: 8 })
  })

  it('larger than its contract says is refused, with its length before anything is read', async () => {
    const large = Buffer.alloc(8 * MIB + 1)
    for (const body of [large, new Blob([large]).stream()]) {
      const answer = await ask('/api/planted/file?name=large', {
        method: 'PUT',
        body,
        headers: BYTES_TYPE,
        ...(body === large ? {} : { duplex: 'half' }),
      })
      assert.equal(answer.status, 400)
      assert.match(problemOf(answer).message, /larger than the limit of 8388608 bytes/)
      faultsOf(answer)
    }
    assert.ok(!house.seen.files.has('large'))
  })

  it('of another type is refused', async () => {
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', 'x']) {
      const answer = await put('/api/planted/file?name=typed', '{}', { 'content-type': type })
      assert.equal(answer.status, 400, type)
      assert.match(problemOf(answer).message, /application\/octet-stream/)
    }
    assert.ok(!house.seen.files.has('typed'))
  })

  it('of a stranger is not even asked for', async () => {
    const sent = httpRequest(`${house.base}/api/planted/large`, {
      method: 'PUT',
      headers: { ...BYTES_TYPE, 'content-length': String(MIB), expect: '100-continue' },
    })
    let wentOn = false
    sent.on('continue', () => void (wentOn = true))
    sent.flushHeaders()
    const [answer] = await once(sent, 'response')
    assert.deepEqual([answer.statusCode, wentOn], [401, false])
    sent.destroy()
  })

  it('of a caller who is let in is asked for', async () => {
    const sent = httpRequest(`${house.base}/api/planted/large`, {
      method: 'PUT',
      headers: {
        ...BYTES_TYPE,
        ...bearer(house.panel.token.full),
        'content-length': '3',
        expect: '100-continue',
      },
    })
    sent.flushHeaders()
    await once(sent, 'continue')
    sent.end('abc')
    const [answer] = await once(sent, 'response')
    assert.equal(answer.statusCode, 200)
    answer.resume()
  })

  it('is answered when it is refused while it is still being sent, and the connection is let go', async () => {
    const port = house.panel.config.port
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      `PUT /api/planted/uploads/u2?offset=7 HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${house.panel.token.full}\r\nContent-Type: application/octet-stream\r\nContent-Length: ${8 * MIB}\r\n\r\nabc`,
    )
    const [head] = (await once(socket, 'data')) as [Buffer]
    assert.match(head.toString(), /^HTTP\/1\.1 409 /)
    const started = performance.now()
    await once(socket, 'close')
    assert.ok(performance.now() - started < 8000)
  })

  const openUpload = async (path: string, start: string) => {
    const { port } = house.panel.config
    const socket = connect(port, '127.0.0.1')
    const parts: Buffer[] = []
    socket.on('error', () => {})
    socket.on('data', (part: Buffer) => void parts.push(part))
    const headers = `Host: localhost:${port}\r\nAuthorization: Bearer ${house.panel.token.full}\r\nContent-Length: 5000\r\n`
    socket.write(`PUT ${path} HTTP/1.1\r\n${headers}${start}`)
    await wait(100)
    return { socket, text: () => Buffer.concat(parts).toString() }
  }

  it('whose caller leaves ends with an error for the handler, and is not a surprise in the log', async () => {
    const { seen } = house
    const { begun, failures } = { begun: seen.begun, failures: seen.failures.length }
    const type = 'Content-Type: application/octet-stream\r\n\r\nabc'
    const { socket } = await openUpload('/api/planted/large', type)
    await until(() => seen.begun > begun, 'the handler was not reached')
    socket.destroy()
    await until(() => seen.failures.length > failures, 'the handler was not told')
    const json = await openUpload('/api/settings', 'Content-Type: application/json\r\n\r\n{"a":')
    json.socket.destroy()
    await wait(200)
    assert.deepEqual(house.log, [])
  })

  it('that comes too slowly is given up, whatever it is', async () => {
    for (const [path, type] of [
      ['/api/planted/large', 'application/octet-stream'],
      ['/api/settings', 'application/json'],
    ] as const) {
      const { socket, text } = await openUpload(path, `Content-Type: ${type}\r\n\r\n`)
      const trickle = setInterval(() => socket.write('1'), 50)
      await until(() => text() !== '', `${path}: waits for ever`)
      clearInterval(trickle)
      socket.destroy()
      assert.match(text(), /^HTTP\/1\.1 400 [^]*took too long to arrive/)
    }
    assert.deepEqual(house.log, [])
  })
})

describe('a form with a file', () => {
  const send = ({ headers, raw }: ReturnType<typeof formOf>) =>
    ask('/api/planted/form', { method: 'POST', headers, body: raw })
  const title = { name: 'title', content: 'A plugin' }
  const file = { name: 'file', filename: 'plugin.zip', content: Buffer.alloc(200_000, 7) }

  it('gives the handler its fields and its bytes', async () => {
    const answer = await send(formOf([title, { name: 'overwrite', content: 'true' }, file]))
    assert.equal(answer.status, 201, answer.text)
    assert.deepEqual(JSON.parse(answer.text), {
      title: 'A plugin',
      filename: 'plugin.zip',
      sizeBytes: 200_000,
      sha256: sha256(file.content),
    })
  })

  it('never gives a path as the name of the file', async () => {
    for (const filename of ['../../etc/passwd', 'C:\\\\x\\\\passwd', '/etc/passwd']) {
      const answer = await send(formOf([title, { ...file, filename }]))
      assert.equal((JSON.parse(answer.text) as { filename: string }).filename, 'passwd')
    }
  })

  it('is refused when anything about it is wrong', async () => {
    const right = formOf([title, file], 'b')
    const cut = { ...right, raw: right.raw.subarray(0, -20) }
    const wrong: Record<string, [ReturnType<typeof formOf>, RegExp]> = {
      'no file': [formOf([title]), /file is missing/],
      'no field': [formOf([file]), /^Title is required/],
      'a field too many': [formOf([title, { name: 'x', content: '1' }, file]), /^X is not a field/],
      'a field of every object': [formOf([title, { name: '__proto__', content: '1' }, file]), /__proto__/],
      'a field twice': [formOf([title, title, file]), /title appears twice/],
      'a field after the file': [formOf([file, title]), /^Title is required/],
      'an extra field after the file': [
        formOf([title, file, { name: 'overwrite', content: 'true' }]),
        /after the file/,
      ],
      'two files': [formOf([title, file, file]), /file appears twice/],
      'another name': [formOf([title, { ...file, name: 'other' }]), /goes into the part file/],
      'a NUL': [formOf([{ name: 'title', content: 'a\0b' }, file]), /NUL/],
      'a long field': [formOf([{ name: 'title', content: 'x'.repeat(17_000) }, file]), /too large/],
      'too large': [formOf([title, { ...file, content: Buffer.alloc(8 * MIB + 1) }]), /larger than the limit/],
      'cut off': [cut, /cut off/],
      'no boundary': [{ ...right, headers: { 'content-type': 'multipart/form-data' } }, /boundary/],
      'another boundary': [
        { ...right, headers: { 'content-type': 'multipart/form-data; boundary=c' } },
        /form is invalid/,
      ],
      'no form': [{ headers: { 'content-type': 'application/json' }, raw: Buffer.from('{}') }, /multipart\/form-data/],
    }
    for (const [name, [form, expected]] of Object.entries(wrong)) {
      const answer = await send(form)
      assert.equal(answer.status, 400, `${name}: ${answer.text}`)
      assert.match(problemOf(answer).message, expected, name)
      faultsOf(answer)
    }
    assert.deepEqual(house.log, [])
  })
})
