import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DnsProvider, Zone } from '#platform/dns/provider.ts'
import { SOAK } from '../soak.ts'

/** One provider with the zone `example.com` that can be made to stumble. */
export interface FaultyDns {
  readonly provider: DnsProvider
  /** What the next requests can come to. */
  readonly kinds: readonly string[]
  /** Later than the driver waits for an answer. */
  readonly lateMs: number
  /** The next request that reads, or that changes something, ends like this. */
  stumble(at: 'reading' | 'change', kind: string): void
  /** How many faults have not been met yet. */
  left(): number
  put(name: string, value: string): Promise<void>
  read(name: string, type: 'A' | 'TXT'): Promise<string[]>
  close(): Promise<void>
}

const PLACES = SOAK ? (['reading', 'change'] as const) : (['change'] as const)

/** Whatever becomes of single requests, each record is there once or not at all, and those of others stay as they were. */
export const dnsFaultConformance = (title: string, makeSubject: () => Promise<FaultyDns>): void => {
  void describe(`${title} on a bad day`, { timeout: 15 * 60_000 }, () => {
    let dns: FaultyDns
    let zone: Zone
    before(async () => {
      dns = await makeSubject()
      zone = (await dns.provider.listZones(['example.com']))[0] ?? assert.fail('no zone')
    })
    after(() => dns?.close())

    void it('adds, changes and removes exactly once, and nothing of others', async () => {
      for (const at of PLACES)
        for (const [number, kind] of dns.kinds.entries()) {
          const name = `${at}-${number}.example.com`
          const record = (value: string) => ({ name, type: 'A' as const, value, ttlSeconds: 60 })
          const held = () => dns.read(name, 'A')
          await dns.put(name, '192.0.2.9')
          dns.stumble(at, kind)
          await dns.provider.change(zone, { add: [record('192.0.2.1')], remove: [] })
          assert.deepEqual(await held(), ['192.0.2.1', '192.0.2.9'], `add, ${at} ${kind}`)
          dns.stumble(at, kind)
          await dns.provider.change(zone, { add: [record('192.0.2.2')], remove: [record('192.0.2.1')] })
          assert.deepEqual(await held(), ['192.0.2.2', '192.0.2.9'], `change, ${at} ${kind}`)
          dns.stumble(at, kind)
          await dns.provider.change(zone, { add: [], remove: [record('192.0.2.2'), record('192.0.2.9')] })
          assert.deepEqual(await held(), ['192.0.2.9'], `remove, ${at} ${kind}`)
          assert.equal(dns.left(), 0, `${at} ${kind}`)
        }
      // What was answered late is over by now.
      await sleep(dns.lateMs)
      for (const at of PLACES)
        for (const number of dns.kinds.keys())
          assert.deepEqual(await dns.read(`${at}-${number}.example.com`, 'A'), ['192.0.2.9'])
    })

    void it('leaves one record when four ask for it at once and each stumbles', async () => {
      const wanted = { name: 'four.example.com', type: 'TXT' as const, value: 'proof', ttlSeconds: 60 }
      for (const kind of dns.kinds) dns.stumble('change', kind)
      await Promise.all(Array.from({ length: 4 }, () => dns.provider.change(zone, { add: [wanted], remove: [] })))
      assert.deepEqual(await dns.read(wanted.name, 'TXT'), ['proof'])
      await dns.provider.change(zone, { add: [], remove: [wanted] })
      assert.deepEqual(await dns.read(wanted.name, 'TXT'), [])
    })
  })
}
