import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CLIENTS, type Protocol, setupOf, targetOf } from '#features/ftp/web/clients.ts'
import { untilText } from '#features/ftp/web/expiry-text.ts'

const endpoint = {
  host: '203.0.113.7',
  ftpPort: 21,
  sftpPort: 2022,
  passivePorts: { from: 30_000, to: 30_999 },
  hostKeys: [],
  certificateFingerprint: null,
}

const valuesFor = (protocol: Protocol, host = endpoint.host) =>
  CLIENTS.flatMap(({ value }) =>
    setupOf(value, targetOf({ ...endpoint, host }, 'ada', protocol)).fields.map(([, text]) => text),
  )

void describe('what FTP clients are told', () => {
  void it('names the port of this server for SFTP', () => {
    assert.deepEqual(valuesFor('sftp'), [
      'sftp://203.0.113.7',
      'ada',
      '2022',
      'sftp://ada@203.0.113.7:2022/',
      'sftp://ada@203.0.113.7:2022/',
      'sftp -P 2022 ada@203.0.113.7',
      'lftp -u ada sftp://203.0.113.7:2022',
    ])
  })

  void it('asks for explicit TLS with FTP, each client in its own way', () => {
    const [host, , port, winScp, cyberduck, , lftp] = valuesFor('ftp')
    assert.deepEqual([host, port], ['ftpes://203.0.113.7', '21'])
    assert.deepEqual([winScp, cyberduck], ['ftpes://ada@203.0.113.7:21/', 'ftps://ada@203.0.113.7:21/'])
    assert.match(lftp ?? '', /^lftp -e 'set ftp:ssl-force true; .*' -u ada ftp:\/\/203\.0\.113\.7:21$/)
  })

  void it('puts brackets around an address of IPv6', () => {
    assert.ok(valuesFor('sftp', '2001:db8::7').includes('sftp -P 2022 ada@[2001:db8::7]'))
  })
})

void describe('the end of an FTP login', () => {
  const now = Date.parse('2026-11-17T09:00:00Z')

  void it('is said with its weekday within a week, and else with its year', () => {
    assert.equal(untilText(Date.parse('2026-11-20T18:00:00Z'), now, 'UTC'), 'Friday, Nov 20, 18:00')
    assert.equal(untilText(Date.parse('2027-01-20T18:00:00Z'), now, 'UTC'), 'Jan 20, 2027, 18:00')
  })

  void it('at midnight is the end of the day before, in the zone of the person', () => {
    assert.equal(untilText(Date.parse('2026-11-21T00:00:00Z'), now, 'UTC'), 'End of Friday, Nov 20')
    assert.equal(untilText(Date.parse('2026-11-20T23:00:00Z'), now, 'Europe/Berlin'), 'End of Friday, Nov 20')
  })
})
