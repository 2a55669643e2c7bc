import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Secret } from '#platform/host/secret.ts'
import { type Cloudflare, startCloudflare } from '#test/support/cloudflare.ts'
import { dnsConformance } from '#test/support/conformance/dns-conformance.ts'
import { cloudflare } from './cloudflare.ts'
import { unquoted } from './text.ts'

const connect = ({ baseUrl }: Cloudflare, token: string, responseMs?: number) =>
  cloudflare({ baseUrl, token: new Secret(token), signal: AbortSignal.timeout(120_000), responseMs, retryDelayMs: 10 })

dnsConformance('Cloudflare', async () => {
  const service = await startCloudflare(['example.com'])
  const unknown = 'x'.repeat(40)
  return {
    provider: connect(service, service.token),
    reader: connect(service, service.readingToken),
    stranger: connect(service, unknown),
    secrets: [unknown, service.token],
    put: async (name, type, content) => service.put({ name, type, content }),
    read: async (name, type) =>
      service.records
        .filter(record => record.name === name && record.type === type)
        .map(({ content }) => unquoted(content))
        .toSorted(),
    close: service.stop,
  }
})

void describe('Cloudflare that stumbles', { timeout: 120_000 }, () => {
  let service: Cloudflare
  before(async () => {
    service = await startCloudflare(Array.from({ length: 120 }, (_, number) => `zone-${number}.example`))
  })
  after(() => service.stop())

  void it('lists more zones than fit on a page', async () => {
    assert.equal((await connect(service, service.token).listZones([])).length, 120)
  })

  void it('ends with exactly one record after a limit, a failure, and silence', async () => {
    const provider = connect(service, service.token, 500)
    const [zone = assert.fail()] = await provider.listZones([])
    for (const [number, kind] of ([429, 502, 'silence'] as const).entries()) {
      const wanted = { name: `try-${number}.${zone.name}`, type: 'A' as const, value: '192.0.2.1', ttlSeconds: 60 }
      service.faults.push({ method: 'POST', kind })
      await provider.change(zone, { add: [wanted], remove: [] })
      const kept = () => service.records.filter(({ name }) => name === wanted.name)
      assert.equal(kept().length, 1)
      assert.deepEqual([kept()[0]?.proxied, kept()[0]?.ttl], [false, 60])
      service.faults.push({ method: 'DELETE', kind })
      await provider.change(zone, { add: [], remove: [wanted] })
      assert.equal(kept().length, 0)
      assert.equal(service.faults.length, 0)
    }
  })

  void it('gives up when it stays down', async () => {
    service.faults.push(...Array.from({ length: 4 }, () => ({ method: 'GET', kind: 502 as const })))
    await assert.rejects(connect(service, service.token).listZones([]), { code: 'dns_unreachable' })
  })
})
