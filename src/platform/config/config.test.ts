import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

const FLEETPRESS_DATA = '/nonexistent'

describe('the name servers in the configuration', () => {
  it('are those of the machine unless some are named', () => {
    assert.deepEqual(readConfig({ FLEETPRESS_DATA }).dnsServers, [])
    const named = readConfig({ FLEETPRESS_DATA, DNS_SERVERS: '192.0.2.1, 192.0.2.2:5353,[2001:db8::1]:53,' })
    assert.deepEqual(named.dnsServers, ['192.0.2.1', '192.0.2.2:5353', '[2001:db8::1]:53'])
  })

  for (const text of ['dns.example', '192.0.2.1:x', '192.0.2', 'a b'])
    it(`are addresses, and not ${text}`, () => {
      const isTold = (error: unknown) => error instanceof ConfigError && /DNS_SERVERS/.test(error.message)
      assert.throws(() => readConfig({ FLEETPRESS_DATA, DNS_SERVERS: text }), isTold)
    })
})
