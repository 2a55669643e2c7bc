import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { describe, it } from 'node:test'
import { dnsConformance } from '#test/support/conformance/dns-conformance.ts'
import { dnsFaultConformance } from '#test/support/conformance/dns-fault-conformance.ts'
import { startFaultyNameServer } from '#test/support/faulty-name-server.ts'
import { startKnot } from '#test/support/knot.ts'
import { SOAK } from '#test/support/soak.ts'
import { rfc2136 } from './rfc2136.ts'
import { parseToken } from './token.ts'

const options = { signal: AbortSignal.timeout(120_000), retryDelayMs: 10 }
const connect = (token: string, responseMs?: number) =>
  rfc2136(parseToken(token) ?? assert.fail('not a token'), { ...options, responseMs })

dnsConformance('RFC 2136', async () => {
  const knot = await startKnot(['example.com'])
  const wrongKey = randomBytes(32).toString('base64')
  const stranger = knot.token.replace(/\S+$/, wrongKey)
  const quoted = (value: string) => (value === 'theirs' ? '"theirs"' : value)
  return {
    provider: connect(knot.token),
    reader: connect(knot.readingToken),
    stranger: connect(stranger),
    secrets: [wrongKey, knot.token.split(' ')[3] ?? ''],
    put: (name, type, value) =>
      knot.update(`add ${name}. 300 ${type} ${type === 'CNAME' ? `${value}.` : quoted(value)}`),
    read: knot.read,
    close: knot.stop,
  }
})

const LATE_MS = SOAK ? 60_000 : 1600
const KINDS = ['failed', 'silence', 'late'] as const

dnsFaultConformance('RFC 2136', async () => {
  const knot = await startKnot(['example.com'])
  const service = await startFaultyNameServer(Number(knot.address.split(':')[1]), LATE_MS)
  return {
    provider: connect(knot.token.replace(/:\d+/, `:${service.port}`), SOAK ? undefined : 800),
    kinds: KINDS,
    lateMs: LATE_MS,
    stumble: (of, kind) => {
      const found = KINDS.find(known => known === kind) ?? assert.fail(kind)
      service.faults.push({ of: of === 'reading' ? 'query' : 'update', kind: found })
    },
    left: () => service.faults.length,
    put: (name, value) => knot.update(`add ${name}. 300 A ${value}`),
    read: knot.read,
    close: async () => {
      await service.stop()
      await knot.stop()
    },
  }
})

void describe('RFC 2136', { timeout: 120_000 }, () => {
  void it('tells what a wildcard answers from what is kept at a name', async () => {
    const knot = await startKnot(['example.com'])
    try {
      await knot.update('add *.dev.example.com. 300 A 192.0.2.9')
      assert.deepEqual(await knot.read('x.dev.example.com', 'A'), ['192.0.2.9'])
      const provider = connect(knot.token)
      const zone = { id: 'example.com', name: 'example.com' }
      assert.deepEqual(await provider.listRecords(zone, 'x.dev.example.com'), [])
      const own = { name: 'x.dev.example.com', type: 'A' as const, value: '192.0.2.9', ttlSeconds: 60 }
      await provider.change(zone, { add: [own], remove: [] })
      assert.deepEqual(await provider.listRecords(zone, own.name), [{ ...own, isOurs: true }])
    } finally {
      await knot.stop()
    }
  })

  void it('gives up on a server that says nothing, or nothing that makes sense', async () => {
    for (const answer of [undefined, Buffer.from([0, 4, 1, 2, 3, 4])]) {
      const server = createServer(socket => void (answer && socket.end(answer)))
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as { port: number }
      const token = `127.0.0.1:${port} hmac-sha256 panel ${randomBytes(32).toString('base64')}`
      await assert.rejects(connect(token, 100).listZones(['example.com']), { code: 'dns_unreachable' })
      server.close()
    }
  })

  void it('takes server, algorithm, key name and key as a token, and nothing else', () => {
    const key = 'c2VjcmV0c2VjcmV0c2VjcmV0'
    for (const place of ['ns1.example.com', 'ns1.example.com:5353', '192.0.2.1', '[2001:db8::1]:53']) {
      const { host, port, keyName } = parseToken(`${place} hmac-sha512 Panel. ${key}`) ?? assert.fail(place)
      assert.deepEqual([`${host}:${port}`.includes(place.replace(/^\[|\].*|:\d+$/g, '')), keyName], [true, 'panel'])
    }
    const wrong = ['', 'abc', `ns1 hmac-md5 panel ${key}`, `ns1:0 hmac-sha256 panel ${key}`, `ns1 hmac-sha256 panel !`]
    const more = [`ns1 hmac-sha256 panel ${key} more`, `-x hmac-sha256 panel ${key}`, `ns1 hmac-sha256 pa;nel ${key}`]
    for (const text of [...wrong, ...more]) assert.equal(parseToken(text), undefined, text)
  })
})
