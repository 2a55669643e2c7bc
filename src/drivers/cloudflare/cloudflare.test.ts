import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Secret } from '#platform/host/secret.ts'
import { type Cloudflare, startCloudflare } from '#test/support/cloudflare.ts'
import { dnsConformance } from '#test/support/conformance/dns-conformance.ts'
import { dnsFaultConformance } from '#test/support/conformance/dns-fault-conformance.ts'
import { SOAK } from '#test/support/soak.ts'
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

const LATE_MS = SOAK ? 60_000 : 1600
const KINDS = [429, 502, 'silence', 'late'] as const

dnsFaultConformance('Cloudflare', async () => {
  const service = await startCloudflare(['example.com'], LATE_MS)
  return {
    provider: connect(service, service.token, SOAK ? undefined : 800),
    kinds: KINDS.map(String),
    lateMs: LATE_MS,
    stumble: (of, kind) => {
      const found = KINDS.find(known => String(known) === kind) ?? assert.fail(kind)
      // The first request of a change reads; the first that changes something creates or deletes.
      const methods = of === 'reading' ? ['GET'] : ['POST', 'DELETE']
      service.faults.push({ methods, kind: found })
    },
    left: () => service.faults.length,
    put: async (name, content) => service.put({ name, type: 'A', content }),
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

  void it('creates records that others see directly, with the wanted time to live', async () => {
    const provider = connect(service, service.token)
    const [zone = assert.fail()] = await provider.listZones([])
    const wanted = { name: `try.${zone.name}`, type: 'A' as const, value: '192.0.2.1', ttlSeconds: 60 }
    await provider.change(zone, { add: [wanted], remove: [] })
    const [kept] = service.records.filter(({ name }) => name === wanted.name)
    assert.deepEqual([kept?.proxied, kept?.ttl], [false, 60])
  })

  void it('gives up when it stays down', async () => {
    service.faults.push(...Array.from({ length: 4 }, () => ({ methods: ['GET'], kind: 502 as const })))
    await assert.rejects(connect(service, service.token).listZones([]), { code: 'dns_unreachable' })
  })
})
