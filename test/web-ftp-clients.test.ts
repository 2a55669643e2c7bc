import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CLIENTS, type Protocol, setupOf, targetOf } from '#features/ftp/web/clients.ts'

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
