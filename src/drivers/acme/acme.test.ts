import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { after, before, beforeEach, describe, it } from 'node:test'
import { decodeProtectedHeader, type FlattenedJWS, flattenedVerify, importJWK, type JWK } from 'jose'
import pino from 'pino'
import { freePort } from '#test/support/ports.ts'
import { createAcme } from './acme.ts'
import { type AcmeFailed, AcmeRateLimited } from './errors.ts'
import { certificateId } from './renewal-info.ts'
import { newPrivateKey } from './signing.ts'

/** The certificate of the appendix of RFC 9773. */
const RFC_EXAMPLE = `-----BEGIN CERTIFICATE-----
MIIBQzCB66ADAgECAgUAh2VDITAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwpFeGFt
cGxlIENBMCIYDzAwMDEwMTAxMDAwMDAwWhgPMDAwMTAxMDEwMDAwMDBaMBYxFDAS
BgNVBAMTC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeBZu
7cbpAYNXZLbbh8rNIzuOoqOOtmxA1v7cRm//AwyMwWxyHz4zfwmBhcSrf47NUAFf
qzLQ2PPQxdTXREYEnKMjMCEwHwYDVR0jBBgwFoAUaYhba4dGQEHhs3uEe6CuLN4B
yNQwCgYIKoZIzj0EAwIDRwAwRAIge09+S5TZAlw5tgtiVvuERV6cT4mfutXIlwTb
+FYN/8oCIClDsqBklhB9KAelFiYt9+6FDj3z4KGVelYM5MdsO3pK
-----END CERTIFICATE-----
`
const RFC_ID = 'aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE'

interface Reply {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  text?: string
}

interface Asked {
  path: string
  method: string
  body: string
}

void describe('the ACME driver and an authority with moods', { timeout: 300_000 }, () => {
  let origin = ''
  let asked: Asked[] = []
  /** What each path answers, one after the other; the last one stays. */
  let replies: Record<string, Reply[]> = {}
  let nonce = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      asked.push({ path, method: request.method ?? '', body: Buffer.concat(chunks).toString() })
      const waiting = replies[path] ?? [{ status: 404 }]
      send(response, (waiting.length > 1 ? waiting.shift() : waiting[0]) ?? {})
    })
  })
  const send = (response: ServerResponse, { status = 200, headers = {}, json, text }: Reply) => {
    nonce += 1
    response.writeHead(status, { 'replay-nonce': `nonce-${nonce}`, ...headers })
    response.end(json === undefined ? text : JSON.stringify(json))
  }
  before(async () => {
    const port = await freePort()
    origin = `http://127.0.0.1:${port}`
    await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  beforeEach(() => {
    asked = []
    const urls = { newNonce: '/nonce', newAccount: '/account', newOrder: '/order', renewalInfo: '/ari' }
    const directory = Object.fromEntries(Object.entries(urls).map(([name, path]) => [name, origin + path]))
    const account = { status: 201, headers: { location: '/account/1' }, json: { status: 'valid' } }
    replies = { '/dir': [{ json: directory }], '/nonce': [{}], '/account': [account] }
    replies['/order'] = [{ status: 201, headers: { location: '/order/1' }, json: {} }]
  })
  const log = pino({ level: 'silent' })
  const acmeWith = (signal: AbortSignal = AbortSignal.timeout(30_000)) =>
    createAcme({ directoryUrl: `${origin}/dir`, accountKey: newPrivateKey(), log, signal, retryDelayMs: 5 })
  const problem = (type: string, detail: string) => ({ type: `urn:ietf:params:acme:error:${type}`, detail })
  const countOf = (path: string) => asked.filter(one => one.path === path).length

  void it('signs every request for its address with its own nonce, by key first and by account then', async () => {
    const acme = acmeWith()
    assert.equal(await acme.openAccount('ops@example.com'), `${origin}/account/1`)
    await acme.placeOrder(['a.example.com'])
    const posts = asked.filter(({ method }) => method === 'POST')
    const parsed = posts.map(({ body }) => JSON.parse(body) as FlattenedJWS)
    const headers = parsed.map(decodeProtectedHeader) as { url: string; nonce: string; kid?: string; jwk?: JWK }[]
    assert.deepEqual(
      headers.map(({ url }) => url),
      [`${origin}/account`, `${origin}/order`],
    )
    assert.equal(new Set(headers.map(header => header.nonce)).size, 2)
    assert.deepEqual([headers[0]?.kid, headers[1]?.kid, headers[1]?.jwk], [undefined, `${origin}/account/1`, undefined])
    const key = await importJWK(headers[0]?.jwk ?? {}, 'ES256')
    for (const jws of parsed) assert.ok(await flattenedVerify(jws, key))
    assert.equal(headers[0]?.jwk?.d, undefined)
  })

  void it('gives an account that exists the contact it should have', async () => {
    const known = { status: 200, headers: { location: '/account/1' } }
    replies['/account/1'] = [{ json: {} }]
    replies['/account'] = [{ ...known, json: { status: 'valid', contact: ['mailto:new@example.com'] } }]
    await acmeWith().openAccount('new@example.com')
    assert.equal(countOf('/account/1'), 0)
    await acmeWith().openAccount('newer@example.com')
    assert.equal(countOf('/account/1'), 1)
  })

  void it('waits when it is limited: the time comes from the authority, in seconds or as a date', async () => {
    const limited = { status: 429, json: problem('rateLimited', 'too many certificates') }
    const inTwoHours = new Date(Math.floor(Date.now() / 1000) * 1000 + 7_200_000)
    const cases: [header: string | undefined, waitMs: number][] = [
      ['3600', 3_600_000],
      [inTwoHours.toUTCString(), inTwoHours.getTime() - Date.now()],
      [undefined, 3_600_000],
      ['999999999', 7 * 86_400_000],
      ['soon', 3_600_000],
    ]
    for (const [header, waitMs] of cases) {
      replies['/order'] = [{ ...limited, headers: header === undefined ? {} : { 'retry-after': header } }]
      const acme = acmeWith()
      await acme.openAccount('ops@example.com')
      await assert.rejects(acme.placeOrder(['a.example.com']), (error: unknown) => {
        assert.ok(error instanceof AcmeRateLimited)
        assert.equal(error.output, 'too many certificates')
        assert.ok(Math.abs(error.retryAt - Date.now() - waitMs) < 5_000, `${header}: ${error.retryAt - Date.now()}`)
        return true
      })
    }
    assert.equal(countOf('/order'), cases.length)
  })

  void it('asks again when the authority fails, a few times, each time with a new nonce', async () => {
    replies['/order']?.unshift({ status: 500 }, { status: 503, headers: { 'retry-after': '0' } }, { status: 502 })
    const acme = acmeWith()
    await acme.openAccount('ops@example.com')
    assert.equal(await acme.placeOrder(['a.example.com']), `${origin}/order/1`)
    const nonces = asked.filter(({ path }) => path === '/order').map(({ body }) => JSON.parse(body) as FlattenedJWS)
    assert.equal(new Set(nonces.map(jws => decodeProtectedHeader(jws).nonce)).size, 4)
    replies['/order'] = [{ status: 500 }]
    await assert.rejects(acme.placeOrder(['a.example.com']), { code: 'acme_unreachable', message: /status 500/ })
    assert.equal(countOf('/order'), 8)
    replies['/order'] = [{ status: 503, headers: { 'retry-after': '600' } }]
    await assert.rejects(acme.placeOrder(['a.example.com']), { code: 'acme_rate_limited' })
    assert.equal(countOf('/order'), 9)
  })

  void it('gives up on an authority that likes no nonce at all', async () => {
    replies['/account'] = [{ status: 400, json: problem('badNonce', 'not this one') }]
    await assert.rejects(acmeWith().openAccount('ops@example.com'), { code: 'acme_failed', type: 'badNonce' })
    assert.equal(countOf('/account'), 200)
  })

  void it('stops while it waits', async () => {
    replies['/account'] = [{ status: 503, headers: { 'retry-after': '20' } }]
    const abort = new AbortController()
    const reason = new Error('stopped by a person')
    setTimeout(() => abort.abort(reason), 50)
    await assert.rejects(acmeWith(abort.signal).openAccount('ops@example.com'), reason)
  })

  void it('says so when no one answers, or something that is not an authority', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}/dir`
    const signal = AbortSignal.timeout(30_000)
    const options = { directoryUrl: nobody, accountKey: newPrivateKey(), log, signal, retryDelayMs: 1 }
    await assert.rejects(createAcme(options).openAccount('a@example.com'), {
      code: 'acme_unreachable',
      message: /it cannot be reached$/,
    })
    const others: Reply[] = [
      { text: '<html>' },
      { json: { newNonce: 'x' } },
      { status: 302, headers: { location: '/dir2' } },
    ]
    for (const reply of others) {
      replies['/dir'] = [reply]
      await assert.rejects(acmeWith().openAccount('a@example.com'), { code: 'acme_unreachable' })
    }
    assert.equal(countOf('/dir2'), 0)
  })

  void it('keeps what a hostile authority says apart, as one short line', async () => {
    replies['/account'] = [{ status: 403, json: problem('unauthorized', `a\r\n\u001b[31mb\u202e${'c'.repeat(5000)}`) }]
    await assert.rejects(acmeWith().openAccount('a@example.com'), (error: AcmeFailed) => {
      assert.equal(error.message, 'The certificate authority refused: the name did not answer the challenge correctly')
      assert.match(error.output, /^a \[31mb c+$/)
      assert.ok(error.output.length < 1100)
      return true
    })
  })

  void it('names the one of many names that was refused', async () => {
    const sub = { type: 'x', detail: 'is on a list', identifier: { type: 'dns', value: 'b.example.com' } }
    replies['/order'] = [{ status: 403, json: { ...problem('rejectedIdentifier', ''), subproblems: [sub] } }]
    const acme = acmeWith()
    await acme.openAccount('a@example.com')
    const expected = { type: 'rejectedIdentifier', detail: 'is on a list', identifier: 'b.example.com' }
    await assert.rejects(acme.placeOrder(['a.example.com', 'b.example.com']), expected)
  })

  void it('knows a certificate by the id of RFC 9773', () => {
    assert.equal(certificateId(RFC_EXAMPLE), RFC_ID)
    assert.equal(new X509Certificate(RFC_EXAMPLE).serialNumber, '87654321')
  })

  void it('reads when the authority wants a certificate renewed, and ignores what makes no sense', async () => {
    const [start, end] = ['2030-01-02T04:00:00Z', '2030-01-03T04:00:00+01:00']
    const reply = (window: object, after?: string): Reply => ({
      json: { suggestedWindow: window, explanationURL: 'https://example.com' },
      headers: after === undefined ? {} : { 'retry-after': after },
    })
    replies[`/ari/${RFC_ID}`] = [
      reply({ start, end }, '21600'),
      reply({ start, end }, '1'),
      reply({ start: end, end: start }),
      { text: '' },
    ]
    const first = await acmeWith().renewalInfo(RFC_EXAMPLE)
    assert.deepEqual([first?.startAt, first?.endAt], [Date.parse(start), Date.parse(end)])
    assert.ok(Math.abs((first?.checkAt ?? 0) - Date.now() - 21_600_000) < 5_000)
    const impatient = await acmeWith().renewalInfo(RFC_EXAMPLE)
    assert.ok((impatient?.checkAt ?? 0) > Date.now() + 3_500_000)
    for (let round = 0; round < 2; round += 1)
      await assert.rejects(acmeWith().renewalInfo(RFC_EXAMPLE), { code: 'acme_unreachable' })
    replies['/dir'] = [{ json: { newNonce: origin, newAccount: origin, newOrder: origin } }]
    assert.equal(await acmeWith().renewalInfo(RFC_EXAMPLE), undefined)
  })

  void it('says which certificate an order replaces, and orders without when that is refused', async () => {
    replies['/order']?.unshift({ status: 409, json: problem('alreadyReplaced', 'it was') })
    const acme = acmeWith()
    await acme.openAccount('a@example.com')
    assert.equal(await acme.placeOrder(['a.example.com'], RFC_EXAMPLE), `${origin}/order/1`)
    const orders = asked
      .filter(({ path }) => path === '/order')
      .map(({ body }) => JSON.parse(body) as { payload: string })
    const payloads = orders.map(({ payload }) => JSON.parse(Buffer.from(payload, 'base64url').toString()) as object)
    const identifiers = [{ type: 'dns', value: 'a.example.com' }]
    assert.deepEqual(payloads, [{ identifiers, replaces: RFC_ID }, { identifiers }])
  })
})
