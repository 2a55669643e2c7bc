import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { LocalHost } from '#platform/host/local-host.ts'
import { Secret } from '#platform/host/secret.ts'
import { pushCertificate, unpushCertificate } from './push-certificate.ts'

it('puts a certificate in place once, however many bring it at the same time', { timeout: 300_000 }, async t => {
  const rootDir = mkdtempSync(join(tmpdir(), 'fleetpress-push-'))
  t.after(() => rmSync(rootDir, { recursive: true, force: true }))
  const certs = join(rootDir, 'edge/certs')
  const pushed = (serial: string) => ({
    id: 'c1',
    serial,
    chainPem: `chain ${serial}`,
    key: new Secret(`key ${serial}`),
  })
  const hosts = Array.from({ length: 6 }, () => new LocalHost())
  for (const serial of ['1', '2', '3']) {
    await Promise.all(hosts.map(host => pushCertificate(host, rootDir, async () => pushed(serial))))
    assert.equal(readFileSync(join(certs, 'c1/fullchain.pem'), 'utf8'), `chain ${serial}`)
    assert.equal(readFileSync(join(certs, 'c1/key.pem'), 'utf8'), `key ${serial}`)
    assert.deepEqual(readdirSync(certs).toSorted(), [`.c1.${serial}`, '.lock', 'c1'])
  }
  // Each reads the newest one when its turn comes, so the last to finish leaves the newest.
  let newest = 3
  await Promise.all(hosts.map(host => pushCertificate(host, rootDir, async () => pushed(String(++newest)))))
  assert.equal(readFileSync(join(certs, 'c1/key.pem'), 'utf8'), `key ${newest}`)
  await unpushCertificate(hosts[0] ?? assert.fail(), rootDir, 'c1')
  assert.deepEqual(readdirSync(certs), ['.lock'])
})
