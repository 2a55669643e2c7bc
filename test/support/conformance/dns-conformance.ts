import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { inspect } from 'node:util'
import type { DnsProvider, DnsRecord, Zone } from '#platform/dns/provider.ts'

/** One provider with the zone `example.com`, and a way around it. */
export interface DnsSubject {
  readonly provider: DnsProvider
  /** With a token that may not change anything. */
  readonly reader: DnsProvider
  /** With a token that no one gave out. */
  readonly stranger: DnsProvider
  readonly secrets: readonly string[]
  /** As another tool would create it. */
  put(name: string, type: 'A' | 'CNAME' | 'TXT', value: string): Promise<void>
  /** What is there, however it came there. */
  read(name: string, type: 'A' | 'AAAA' | 'CNAME' | 'TXT'): Promise<string[]>
  close(): Promise<void>
}

const record = (name: string, value: string, type: DnsRecord['type'] = 'A'): DnsRecord => ({
  name,
  type,
  value,
  ttlSeconds: 60,
})

/** What every provider must do alike. */
export const dnsConformance = (title: string, makeSubject: () => Promise<DnsSubject>): void => {
  void describe(`${title} conforms`, { timeout: 120_000 }, () => {
    let subject: DnsSubject
    let zone: Zone
    before(async () => {
      subject = await makeSubject()
      zone = (await subject.provider.listZones(['www.example.com']))[0] ?? assert.fail('no zone')
    })
    after(() => subject?.close())
    const add = (...records: DnsRecord[]) => subject.provider.change(zone, { add: records, remove: [] })
    const remove = (...records: DnsRecord[]) => subject.provider.change(zone, { add: [], remove: records })

    void it('finds the zone of a name, and none where it answers for none', async () => {
      assert.equal(zone.name, 'example.com')
      const names = ['a.b.example.com', 'example.com', 'somewhere.invalid']
      assert.deepEqual(
        (await subject.provider.listZones(names)).map(found => found.name),
        ['example.com'],
      )
    })

    void it('knows whether the token may change records, and changes nothing to find out', async () => {
      await subject.provider.checkRight(zone)
      await assert.rejects(subject.reader.checkRight(zone), { code: 'dns_refused' })
    })

    void it('adds a record with the marker, once, however often it is told to', async () => {
      const wanted = [record('once.example.com', '192.0.2.1'), record('once.example.com', '2001:db8::1', 'AAAA')]
      await add(...wanted)
      await add(...wanted)
      await Promise.all(Array.from({ length: 4 }, () => add(...wanted)))
      const found = await subject.provider.listRecords(zone, 'once.example.com')
      assert.deepEqual(
        found,
        wanted.map(one => ({ ...one, isOurs: true })),
      )
      assert.deepEqual(await subject.read('once.example.com', 'A'), ['192.0.2.1'])
      assert.deepEqual(await subject.read('once.example.com', 'AAAA'), ['2001:db8::1'])
    })

    void it('changes a value in one go and removes it again, twice if need be', async () => {
      const [old, fresh] = [record('moved.example.com', '192.0.2.1'), record('moved.example.com', '192.0.2.2')]
      await add(old)
      await subject.provider.change(zone, { add: [fresh], remove: [old] })
      assert.deepEqual(await subject.read('moved.example.com', 'A'), ['192.0.2.2'])
      for (let round = 0; round < 2; round += 1) await remove(fresh)
      assert.deepEqual(await subject.provider.listRecords(zone, 'moved.example.com'), [])
      assert.deepEqual(await subject.read('moved.example.com', 'A'), [])
    })

    void it('never touches a record of someone else, not even one with the same value', async () => {
      await subject.put('theirs.example.com', 'A', '192.0.2.9')
      await remove(record('theirs.example.com', '192.0.2.9'))
      await add(record('theirs.example.com', '192.0.2.9'))
      await remove(record('theirs.example.com', '192.0.2.9'))
      assert.deepEqual(await subject.read('theirs.example.com', 'A'), ['192.0.2.9'])
      const [found] = await subject.provider.listRecords(zone, 'theirs.example.com')
      assert.equal(found?.isOurs, false)
    })

    void it('shows aliases', async () => {
      await subject.put('alias.example.com', 'CNAME', 'shop.example.net')
      const found = await subject.provider.listRecords(zone, 'alias.example.com')
      assert.deepEqual(
        found.map(({ type, value, isOurs }) => [type, value, isOurs]),
        [['CNAME', 'shop.example.net', false]],
      )
    })

    void it('keeps texts as they are: long, with quotes, several at one name, and removes only the one it is told', async () => {
      const texts = [`v=DKIM1; p=${'A1b/'.repeat(100)}`, 'a "quoted" \\ text', 'plain']
      await subject.put('texts.example.com', 'TXT', 'theirs')
      await add(...texts.map(text => record('texts.example.com', text, 'TXT')))
      assert.deepEqual(await subject.read('texts.example.com', 'TXT'), [...texts, 'theirs'].toSorted())
      await remove(record('texts.example.com', 'plain', 'TXT'))
      const found = await subject.provider.listRecords(zone, 'texts.example.com')
      const ours = found.filter(({ isOurs }) => isOurs).map(({ value }) => value)
      assert.deepEqual(ours.toSorted(), texts.slice(0, 2).toSorted())
      assert.equal(found.length, 3)
    })

    void it('says that a token is not accepted, without showing it', async () => {
      await assert.rejects(
        subject.stranger.listZones(['example.com']).then(() => subject.stranger.checkRight(zone)),
        (error: Error & { code?: string }) => {
          assert.equal(error.code, 'dns_refused')
          for (const secret of subject.secrets) assert.ok(!inspect(error, { depth: 9 }).includes(secret))
          return true
        },
      )
    })
  })
}
