import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdirSync, readFileSync, realpathSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import pino from 'pino'
import { newPrivateKey } from '#drivers/acme/signing.ts'
import { type CertificateHouse, certificateHouse } from '#test/support/certificates.ts'
import { movableClock } from '#test/support/totp.ts'
import { keyPurpose } from './attempt-certificate.ts'
import {
  changeCertificate,
  dueCertificates,
  findAccount,
  findCertificate,
  getCertificate,
} from './certificate-store.ts'
import { obtainCertificate, removeCertificate } from './obtain-certificate.ts'
import { renewDue } from './renew-due.ts'

const DAY_MS = 86_400_000

for (const engineName of ['sqlite', 'postgres'] as const) {
  void describe(`certificates of a server, on ${engineName}`, { timeout: 300_000 }, () => {
    const clock = movableClock()
    const lines: string[] = []
    const log = pino(
      { level: 'trace' },
      new Writable({ write: (chunk, _, done) => (lines.push(String(chunk)), done()) }),
    )
    const failures: unknown[] = []
    let house: CertificateHouse
    before(async () => {
      house = await certificateHouse({ engineName, now: clock.now, log })
    })
    after(() => house.stop())
    const obtain = (...names: string[]) => obtainCertificate(house.scope, house.issuance(), names)
    const renew = (part = {}) =>
      renewDue(house.scope, { signal: AbortSignal.timeout(120_000), issuanceFor: async () => house.issuance(part) })
    const served = (id: string, name = 'fullchain.pem') =>
      readFileSync(join(house.rootDir, 'edge/certs', id, name), 'utf8')
    const failing = async (work: Promise<unknown>, expected: object) =>
      assert.rejects(work, error => {
        failures.push(error)
        for (const [name, value] of Object.entries(expected)) {
          const found = (error as Record<string, unknown>)[name]
          if (value instanceof RegExp) assert.match(String(found), value)
          else assert.equal(found, value)
        }
        return true
      })

    void it('are obtained and put in place: the chain for all, the key for root only, both belonging together', async () => {
      const row = await obtain('www.one.example.com', 'one.example.com')
      assert.equal(row.names, '["one.example.com","www.one.example.com"]')
      const leaf = new X509Certificate(served(row.id))
      assert.ok(leaf.checkPrivateKey(createPrivateKey(served(row.id, 'key.pem'))))
      assert.deepEqual([row.status, row.serial, row.pushed_serial], ['valid', leaf.serialNumber, leaf.serialNumber])
      const modeOf = (name: string) => statSync(join(house.rootDir, 'edge/certs', row.id, name)).mode & 0o777
      assert.deepEqual([modeOf('key.pem'), modeOf('fullchain.pem')], [0o600, 0o644])
      assert.deepEqual(house.challengeFiles(), [])
      assert.equal(house.reloads(), 1)
    })

    void it('are kept: asking again changes nothing, and what was lost on the server is restored', async () => {
      const [issued, reloads] = [house.pebble.issuedCount(), house.reloads()]
      const row = await obtain('one.example.com', 'www.one.example.com')
      assert.deepEqual([house.pebble.issuedCount(), house.reloads()], [issued, reloads])
      writeFileSync(join(house.rootDir, 'edge/certs', row.id, 'key.pem'), 'damaged')
      await obtain('one.example.com', 'www.one.example.com')
      assert.ok(new X509Certificate(served(row.id)).checkPrivateKey(createPrivateKey(served(row.id, 'key.pem'))))
      assert.deepEqual([house.pebble.issuedCount(), house.reloads()], [issued, reloads + 1])
    })

    void it('fit their key, also when another attempt has begun a new order in the meantime', async () => {
      const obtaining = obtain('crossed.example.com')
      while (house.challengeFiles().length === 0) await sleep(1)
      const found = await findCertificate(house.scope.db, house.issuance().serverId, '["crossed.example.com"]')
      assert.ok(found)
      const order_sealed_key = house.scope.secrets.seal(keyPurpose(found.id), newPrivateKey().reveal())
      await changeCertificate(house.scope.db, found.id, { order_sealed_key })
      const { id } = await obtaining
      assert.ok(new X509Certificate(served(id)).checkPrivateKey(createPrivateKey(served(id, 'key.pem'))))
    })

    void it('that are refused leave nothing but the reason, and are obtained once that is fixed', async () => {
      house.web.answer = 'something else'
      const before = house.pushed()
      await failing(obtain('two.example.com'), {
        code: 'acme_failed',
        type: 'unauthorized',
        identifier: 'two.example.com',
      })
      house.web.answer = undefined
      const row = await findCertificate(house.scope.db, 1, '["two.example.com"]')
      assert.deepEqual(
        [row?.status, row?.order_url, row?.order_sealed_key, row?.sealed_key, row?.attempts],
        ['failed', null, null, null, 1],
      )
      assert.match(row?.problem ?? '', /refused two\.example\.com/)
      assert.deepEqual([house.challengeFiles(), house.pushed()], [[], before])
      assert.deepEqual(await dueCertificates(house.scope.db, clock.now()), [])
      clock.forward(61_000)
      assert.deepEqual(await renew(), { renewed: 1, failed: 0 })
      const repaired = await getCertificate(house.scope.db, row?.id ?? '')
      assert.deepEqual([repaired.status, repaired.problem, repaired.attempts], ['valid', null, 0])
    })

    void it('are obtained once the authority is back, also when it has forgotten everything', async () => {
      await house.pebble.down()
      await failing(obtain('three.example.com'), { code: 'acme_unreachable' })
      const account = await findAccount(house.scope.db, 1)
      await house.pebble.up()
      assert.equal((await obtain('three.example.com')).status, 'valid')
      assert.equal((await findAccount(house.scope.db, 1))?.sealed_key, account?.sealed_key)
      assert.equal(house.pebble.issuedCount(), 1)
    })

    void it('are renewed when due, and the old pair is served until the new one is in place', async () => {
      const old = await obtain('three.example.com')
      await changeCertificate(house.scope.db, old.id, { renew_at: clock.now() })
      const seen: boolean[] = []
      const watch = setInterval(() => {
        const folder = realpathSync(join(house.rootDir, 'edge/certs', old.id))
        const [chain, key] = ['fullchain.pem', 'key.pem'].map(name => readFileSync(join(folder, name), 'utf8'))
        seen.push(new X509Certificate(chain ?? '').checkPrivateKey(createPrivateKey(key ?? '')))
      }, 1)
      const result = await renew()
      clearInterval(watch)
      assert.deepEqual(result, { renewed: 1, failed: 0 })
      const row = await getCertificate(house.scope.db, old.id)
      assert.notEqual(row.serial, old.serial)
      assert.equal(new X509Certificate(served(old.id)).serialNumber, row.serial)
      assert.ok(seen.length > 20 && seen.every(Boolean), `${seen.length} looks`)
      assert.equal(house.pushed().filter(name => name.includes(old.id)).length, 2)
      assert.deepEqual(await renew(), { renewed: 0, failed: 0 })
    })

    void it('stay in place when renewing fails, and one that fails does not stop the others', async () => {
      const [first, second] = [await obtain('one.example.com', 'www.one.example.com'), await obtain('two.example.com')]
      for (const { id } of [first, second]) await changeCertificate(house.scope.db, id, { renew_at: clock.now() })
      let asked = 0
      const reload = async () => {
        asked += 1
        if (asked === 1) throw new Error('nginx is not running')
      }
      assert.deepEqual(await renew({ reload }), { renewed: 1, failed: 1 })
      clock.forward(2 * 60_000)
      const issued = house.pebble.issuedCount()
      assert.deepEqual(await renew(), { renewed: 1, failed: 0 })
      assert.equal(house.pebble.issuedCount(), issued)
      house.web.answer = 'something else'
      await changeCertificate(house.scope.db, first.id, { renew_at: clock.now() })
      const before = served(first.id)
      assert.deepEqual(await renew(), { renewed: 0, failed: 1 })
      house.web.answer = undefined
      assert.equal(served(first.id), before)
      const kept = await getCertificate(house.scope.db, first.id)
      assert.deepEqual([kept.status, kept.attempts], ['valid', 1])
      clock.forward(2 * 60_000)
      assert.deepEqual(await renew(), { renewed: 1, failed: 0 })
    })

    void it('are asked for at most ten times a minute', async () => {
      for (let number = 0; number < 12; number += 1) {
        const abort = AbortSignal.abort(new Error('not now'))
        await obtainCertificate(house.scope, house.issuance({ signal: abort }), [`many-${number}.example.com`]).catch(
          () => {},
        )
        clock.forward(61_000)
      }
      assert.deepEqual(await renew(), { renewed: 10, failed: 0 })
      assert.deepEqual(await renew(), { renewed: 0, failed: 0 })
      clock.forward(61_000)
      assert.deepEqual(await renew(), { renewed: 2, failed: 0 })
    })

    void it('are removed with their names, twice if need be', async () => {
      const { id } = await obtain('two.example.com')
      for (let round = 0; round < 2; round += 1) {
        await removeCertificate(house.scope, house.issuance(), ['two.example.com'])
        assert.deepEqual(
          house.pushed().filter(name => name.includes(id)),
          [],
        )
        assert.equal(await findCertificate(house.scope.db, 1, '["two.example.com"]'), undefined)
      }
    })

    void it('move to another authority with a new account', async () => {
      const before = await findAccount(house.scope.db, 1)
      const { port } = new URL(house.pebble.directoryUrl)
      const directoryUrl = `https://localhost:${port}/dir?other`
      await obtainCertificate(house.scope, house.issuance({ directoryUrl, email: 'new@example.com' }), [
        'moved.example.com',
      ])
      const moved = await findAccount(house.scope.db, 1)
      assert.deepEqual([moved?.directory_url, moved?.email], [directoryUrl, 'new@example.com'])
      assert.notEqual(moved?.sealed_key, before?.sealed_key)
      assert.notEqual(moved?.account_url, before?.account_url)
    })

    void it('leave no challenge file behind for longer than a day', async () => {
      const folder = join(house.rootDir, 'edge/acme')
      mkdirSync(folder, { recursive: true })
      for (const name of ['old', 'young']) writeFileSync(join(folder, name), '')
      const longAgo = (clock.now() - 2 * DAY_MS) / 1000
      utimesSync(join(folder, 'old'), longAgo, longAgo)
      utimesSync(join(folder, 'young'), clock.now() / 1000, clock.now() / 1000)
      const { id } = await obtain('three.example.com')
      await changeCertificate(house.scope.db, id, { renew_at: clock.now() })
      await renew()
      assert.deepEqual(house.challengeFiles(), ['young'])
    })

    void it('keep their keys to themselves: not in the log, not in an error, not readable in the database', async () => {
      const { db } = house.scope
      const rows = [
        ...(await db.selectFrom('certificate').selectAll().execute()),
        ...(await db.selectFrom('acme_account').selectAll().execute()),
      ]
      const keys = house
        .pushed()
        .filter(name => !name.startsWith('.'))
        .map(id => served(id, 'key.pem'))
      const bodies = keys.map(pem => pem.split('\n')[2] ?? '')
      assert.ok(bodies.length > 10 && bodies.every(body => body.length > 40))
      assert.ok(lines.length > 0 && failures.length >= 2)
      const shown = [
        ...lines,
        ...failures.map(error => inspect(error, { depth: 10, showHidden: true })),
        JSON.stringify(rows),
      ].join('\n')
      for (const body of ['PRIVATE KEY', ...bodies]) assert.ok(!shown.includes(body))
    })
  })
}
