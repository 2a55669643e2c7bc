import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { KyselyPlugin } from 'kysely'
import type { Command } from '#platform/host/command.ts'
import type { Host, StreamOptions } from '#platform/host/host.ts'
import { type CertificateHouse, certificateHouse } from '#test/support/certificates.ts'
import { SOAK } from '#test/support/soak.ts'
import { movableClock } from '#test/support/totp.ts'
import { changeCertificate, getCertificate } from './certificate-store.ts'
import type { CertificateScope, Issuance } from './issuance.ts'
import { obtainCertificate } from './obtain-certificate.ts'
import { renewDue } from './renew-due.ts'

/** Every step in the long run, a sample of them in the normal one. */
const STRIDE = SOAK ? 1 : 4
const MOST_STEPS = 500

/** Everything the attempt does outside itself: each act of it ends before or after the kill. */
interface Killed {
  scope: CertificateScope
  issuance: Issuance
  died: Promise<'died'>
}

void describe('an attempt that is killed', { timeout: 600_000 }, () => {
  const clock = movableClock()
  let house: CertificateHouse
  before(async () => {
    house = await certificateHouse({ now: clock.now })
  })
  after(() => house.stop())

  /** From the given step on nothing comes back any more, so no line of the attempt runs, cleaning up included. */
  const killedAt = async (lastStep: number): Promise<Killed> => {
    const { promise: died, resolve } = Promise.withResolvers<'died'>()
    const killing = new AbortController()
    let steps = 0
    const step = async (): Promise<void> => {
      steps += 1
      if (steps < lastStep) return
      killing.abort()
      resolve('died')
      await new Promise(() => {})
    }
    const around = async <T>(act: () => Promise<T>): Promise<T> => {
      await step()
      const result = await act()
      await step()
      return result
    }
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        await step()
        return result
      },
    }
    const scope = await house.otherScope()
    const host = new Proxy(scope.hosts.get(1), {
      get: (target, name) => {
        // What a killed panel has started ends with it, such as what holds a lock on the server.
        if (name === 'stream')
          return (command: Command, options: StreamOptions = {}) =>
            target.stream(command, {
              ...options,
              signal: AbortSignal.any([killing.signal, options.signal ?? []].flat()),
            })
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? (...words: unknown[]) => around(() => value.apply(target, words)) : value
      },
    })
    return {
      scope: { ...scope, db: scope.db.withPlugin(plugin), hosts: { get: (): Host => host } },
      issuance: house.issuance({
        fetch: (...words) => around(() => fetch(...words)),
        reload: () => around(async () => {}),
      }),
      died,
    }
  }
  const servedPair = (id: string) => {
    const [chain = '', key = ''] = ['fullchain.pem', 'key.pem'].map(name =>
      readFileSync(join(house.rootDir, 'edge/certs', id, name), 'utf8'),
    )
    const leaf = new X509Certificate(chain)
    assert.ok(leaf.checkPrivateKey(createPrivateKey(key)))
    return leaf.serialNumber
  }
  const assertWhole = async (id: string) => {
    const row = await getCertificate(house.scope.db, id)
    assert.deepEqual(
      [row.status, row.order_url, row.order_sealed_key, row.pushed_serial],
      ['valid', null, null, row.serial],
    )
    assert.equal(servedPair(id), row.serial)
    assert.deepEqual(house.challengeFiles(), [])
    assert.deepEqual(
      house.pushed().filter(name => name.includes(id)),
      [`.${id}.${row.serial}`, id],
    )
  }

  void it('at any step and repeated gives one certificate and leaves nothing else', async test => {
    let step = 1
    for (let outcome = 'died'; outcome === 'died' && step < MOST_STEPS; step += STRIDE) {
      const names = [`step-${step}.example.com`, `www.step-${step}.example.com`]
      const issued = house.pebble.issuedCount()
      const { scope, issuance, died } = await killedAt(step)
      outcome = await Promise.race([died, obtainCertificate(scope, issuance, names).then(() => 'ended')])
      const { id } = await obtainCertificate(house.scope, house.issuance(), names)
      assert.equal(house.pebble.issuedCount(), issued + 1, `killed at step ${step}`)
      await assertWhole(id)
      clock.forward(61_000)
    }
    test.diagnostic(`killed at ${STRIDE === 1 ? 'each' : 'some'} of ${step - STRIDE - 1} steps`)
    assert.ok(step > 40 && step < MOST_STEPS)
  })

  void it('at any step of renewing keeps a pair that fits, and is renewed once', async test => {
    const names = ['renewed.example.com']
    const { id } = await obtainCertificate(house.scope, house.issuance(), names)
    let step = 1
    for (let outcome = 'died'; outcome === 'died' && step < MOST_STEPS; step += STRIDE) {
      clock.forward(61_000)
      await changeCertificate(house.scope.db, id, { renew_at: clock.now() })
      const issued = house.pebble.issuedCount()
      const { scope, issuance, died } = await killedAt(step)
      const killed = renewDue(scope, { signal: issuance.signal, issuanceFor: async () => issuance })
      outcome = await Promise.race([died, killed.then(() => 'ended')])
      servedPair(id)
      await renewDue(house.scope, { signal: issuance.signal, issuanceFor: async () => house.issuance() })
      assert.equal(house.pebble.issuedCount(), issued + 1, `killed at step ${step}`)
      await assertWhole(id)
    }
    test.diagnostic(`killed at ${STRIDE === 1 ? 'each' : 'some'} of ${step - STRIDE - 1} steps`)
    assert.ok(step > 40 && step < MOST_STEPS)
  })
})
