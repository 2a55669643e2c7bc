import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import type { Secret } from '#platform/host/secret.ts'
import { type ChallengeServer, type PebbleOptions, startChallengeServer, startPebble } from '#test/support/pebble.ts'
import { type Acme, createAcme } from './acme.ts'
import { certificateRequest } from './certificate-request.ts'
import type { HttpChallenge } from './order.ts'
import { newPrivateKey } from './signing.ts'

const log = pino({ level: 'silent' })

void describe('the ACME driver against a real authority', { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetpress-acme-'))
  let web: ChallengeServer
  before(async () => {
    web = await startChallengeServer(folder)
  })
  after(async () => {
    await web.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const challenge: HttpChallenge = {
    type: 'http-01',
    publish: async (token, text) => writeFileSync(join(folder, token), text),
    unpublish: async token => rmSync(join(folder, token), { force: true }),
  }
  const opened = async (directoryUrl: string, accountKey: Secret = newPrivateKey()): Promise<Acme> => {
    const acme = createAcme({ directoryUrl, accountKey, log, signal: new AbortController().signal })
    await acme.openAccount('ops@example.com')
    return acme
  }
  const withPebble = async (
    options: Partial<PebbleOptions>,
    work: (pebble: Awaited<ReturnType<typeof startPebble>>) => Promise<void>,
  ) => {
    const pebble = await startPebble({ httpPort: web.port, ...options })
    try {
      await work(pebble)
    } finally {
      await pebble.stop()
    }
  }

  for (const nonceReject of [0, 5, 50, 90]) {
    void it(`gets a certificate when ${nonceReject} of 100 good nonces are refused`, () =>
      withPebble({ nonceReject }, async pebble => {
        const names = ['blog.example.com', 'www.blog.example.com']
        const acme = await opened(pebble.directoryUrl)
        const key = newPrivateKey()
        const chain = await acme.completeOrder(await acme.placeOrder(names), { names, key, challenge })
        const certificates = chain.split(/(?<=-----END CERTIFICATE-----\n)/).filter(text => text.trim() !== '')
        assert.equal(certificates.length, 2)
        const [leaf, intermediate] = certificates.map(pem => new X509Certificate(pem))
        const root = new X509Certificate(await pebble.rootPem())
        assert.ok(leaf && intermediate && leaf.verify(intermediate.publicKey) && intermediate.verify(root.publicKey))
        assert.equal(leaf.subjectAltName, 'DNS:blog.example.com, DNS:www.blog.example.com')
        assert.equal(pebble.issuedCount(), 1)
        assert.deepEqual(readdirSync(folder), [])
      }))
  }

  void it('waits as long as the authority takes to look, and uses earlier proofs', () =>
    withPebble({ sleepSeconds: 3, authzReuse: 100 }, async pebble => {
      const names = ['slow.example.com']
      const acme = await opened(pebble.directoryUrl)
      const first = await acme.completeOrder(await acme.placeOrder(names), { names, key: newPrivateKey(), challenge })
      const published: string[] = []
      const counting = { ...challenge, publish: async (token: string) => void published.push(token) }
      const wanted = { names, key: newPrivateKey(), challenge: counting }
      const second = await acme.completeOrder(await acme.placeOrder(names, first), wanted)
      assert.notEqual(second, first)
      assert.deepEqual(published, [])
    }))

  void it('gives the same certificate for an order that was completed before', () =>
    withPebble({}, async pebble => {
      const names = ['again.example.com']
      const acme = await opened(pebble.directoryUrl)
      const order = await acme.placeOrder(names)
      const wanted = { names, key: newPrivateKey(), challenge }
      assert.equal(await acme.completeOrder(order, wanted), await acme.completeOrder(order, wanted))
      assert.equal(pebble.issuedCount(), 1)
    }))

  void it('has one account per key, whose contact follows', () =>
    withPebble({}, async pebble => {
      const acmeWith = (accountKey: Secret) =>
        createAcme({ directoryUrl: pebble.directoryUrl, accountKey, log, signal: AbortSignal.timeout(60_000) })
      const acme = acmeWith(newPrivateKey())
      const url = await acme.openAccount('first@example.com')
      assert.equal(await acme.openAccount('second@example.com'), url)
      assert.notEqual(await acmeWith(newPrivateKey()).openAccount('first@example.com'), url)
    }))

  void it('says which name was refused and why, and leaves no challenge file', () =>
    withPebble({}, async pebble => {
      web.answer = 'something else'
      try {
        const names = ['wrong.example.com']
        const acme = await opened(pebble.directoryUrl)
        const wanted = { names, key: newPrivateKey(), challenge }
        await assert.rejects(
          acme.placeOrder(names).then(order => acme.completeOrder(order, wanted)),
          {
            code: 'acme_failed',
            type: 'unauthorized',
            identifier: 'wrong.example.com',
            message: /^The certificate authority refused wrong\.example\.com/,
          },
        )
        assert.deepEqual(readdirSync(folder), [])
        assert.equal(pebble.issuedCount(), 0)
      } finally {
        web.answer = undefined
      }
    }))

  void it('stops at once when it is told to, while the authority sleeps', () =>
    withPebble({ sleepSeconds: 15 }, async pebble => {
      const abort = new AbortController()
      const acme = createAcme({
        directoryUrl: pebble.directoryUrl,
        accountKey: newPrivateKey(),
        log,
        signal: abort.signal,
      })
      await acme.openAccount('ops@example.com')
      const names = ['stopped.example.com']
      const order = await acme.placeOrder(names)
      const reason = new Error('stopped by a person')
      const publish: HttpChallenge['publish'] = async (token, text) => {
        await challenge.publish(token, text)
        setTimeout(() => abort.abort(reason), 100)
      }
      const started = Date.now()
      const wanted = { names, key: newPrivateKey(), challenge: { ...challenge, publish } }
      await assert.rejects(acme.completeOrder(order, wanted), reason)
      assert.ok(Date.now() - started < 60_000)
      assert.deepEqual(readdirSync(folder), [])
    }))

  void it('writes requests that openssl reads, for 1 and for 100 names', () => {
    for (const count of [1, 100]) {
      const names = Array.from(
        { length: count },
        (_, number) => `site-${number}.${'long-label.'.repeat(10)}example.com`,
      )
      const request = certificateRequest(newPrivateKey(), names)
      const words = ['req', '-inform', 'DER', '-noout', '-text', '-verify']
      const text = execFileSync('openssl', words, { input: request, stdio: ['pipe', 'pipe', 'pipe'] }).toString()
      assert.deepEqual(
        [...text.matchAll(/DNS:([^,\s]+)/g)].map(([, name]) => name),
        names,
      )
    }
  })
})
