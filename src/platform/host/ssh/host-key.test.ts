import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import ssh2 from 'ssh2'
import { startSshd } from '#test/support/sshd.ts'
import { exec } from '../command.ts'
import { HostKeyChanged, HostRefusedLogin } from '../errors.ts'
import { Secret } from '../secret.ts'
import { describeHostKey, newSshKeyPair } from './key-pair.ts'
import { SshHost, type SshTarget } from './ssh-host.ts'

const LIMIT = { timeout: 300_000 }

/** Lets no one in and writes down what happens to it. */
const startStranger = async (privateKeys: string[]) => {
  const events: string[] = []
  const server = new ssh2.Server({ hostKeys: privateKeys }, client => {
    client.on('error', () => {})
    client.on('authentication', context => {
      events.push(`login by ${context.method}`)
      context.reject()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  const login = await newSshKeyPair('test')
  const hostWith = (trusted: Pick<SshTarget, 'hostKey' | 'pin'>) => {
    const place = { address: '127.0.0.1', port, user: 'root' }
    return new SshHost({
      name: 'server 2',
      target: async () => ({ ...place, privateKey: new Secret(login.privateKey), ...trusted }),
    })
  }
  return { events, login, hostWith, close: () => server.close() }
}

const shortKey = (publicKey: string): string => publicKey.split(' ').slice(0, 2).join(' ')

const neverPinned = async () => {
  throw new Error('a key was pinned again')
}

void it('makes no key that cannot be read', LIMIT, async () => {
  for (let made = 0; made < 2000; made += 1) {
    const { privateKey, publicKey } = await newSshKeyPair('host')
    for (const key of [privateKey, publicKey]) assert.ok(!(ssh2.utils.parseKey(key) instanceof Error))
  }
})

void describe('first contact', () => {
  void it('keeps the key before it logs in, and tells what to do when the login is refused', LIMIT, async t => {
    const key = await newSshKeyPair('host')
    const stranger = await startStranger([key.privateKey])
    t.after(stranger.close)
    const pin = async (hostKey: string) => {
      await delay(100)
      stranger.events.push(`pinned ${hostKey}`)
    }
    await assert.rejects(stranger.hostWith({ hostKey: null, pin }).run(exec('true')), (error: unknown) => {
      assert.ok(error instanceof HostRefusedLogin)
      assert.match(error.message, /add the panel's public key to its authorized_keys/)
      assert.ok(error.message.includes(shortKey(stranger.login.publicKey)))
      return true
    })
    assert.deepEqual(stranger.events, [`pinned ${shortKey(key.publicKey)}`, 'login by publickey'])
  })

  void it('does not log in when the key cannot be kept', LIMIT, async t => {
    const stranger = await startStranger([(await newSshKeyPair('host')).privateKey])
    t.after(stranger.close)
    const host = stranger.hostWith({ hostKey: null, pin: async () => Promise.reject(new Error('disk full')) })
    await assert.rejects(host.run(exec('true')), { message: 'disk full' })
    assert.deepEqual(stranger.events, [])
  })
})

const trusted = await newSshKeyPair('host')

void describe('a host key that changed', () => {
  void it('fails whatever is asked of the host, with 0 logins', LIMIT, async t => {
    const other = await newSshKeyPair('host')
    const stranger = await startStranger([other.privateKey])
    t.after(stranger.close)
    const host = stranger.hostWith({ hostKey: shortKey(trusted.publicKey), pin: neverPinned })
    const acts = [
      () => host.run(exec('true')),
      () => host.readFile('/etc/hostname'),
      () => host.writeFile('/tmp/never', new Secret('secret')),
      () => host.upload(Readable.from(['secret']), '/tmp/never'),
      () => host.dial({ port: 1 }),
      () => host.shell({ cols: 80, rows: 24 }),
    ]
    const [expected, offered] = [trusted, other].map(({ publicKey }) => describeHostKey(publicKey).fingerprint)
    for (const act of acts) {
      await assert.rejects(act(), (error: unknown) => {
        assert.ok(error instanceof HostKeyChanged, String(error))
        assert.deepEqual([error.code, error.expected, error.offered], ['host_key_changed', expected, offered])
        return true
      })
    }
    assert.deepEqual(stranger.events, [])
  })

  for (const kind of ['rsa', 'ecdsa'] as const) {
    void it(`is a change too when the server only has a key of type ${kind} now, with 0 logins`, LIMIT, async t => {
      const sizes = { rsa: { bits: 2048 }, ecdsa: { bits: 256 } }
      const other = ssh2.utils.generateKeyPairSync(kind, sizes[kind])
      const stranger = await startStranger([other.private])
      t.after(stranger.close)
      const host = stranger.hostWith({ hostKey: shortKey(trusted.publicKey), pin: neverPinned })
      await assert.rejects(host.run(exec('true')), { code: 'host_key_changed', offered: null })
      assert.deepEqual(stranger.events, [])
    })
  }
})

void describe('a server with several host keys', () => {
  void it('is known by the one that was pinned, whichever it was', { timeout: 300_000 }, async t => {
    const types = ['ed25519', 'ecdsa', 'rsa'] as const
    const sshd = await startSshd({ keyTypes: types })
    t.after(sshd.stop)
    for (const type of types) {
      const target = async () => sshd.target({ hostKey: `${sshd.hostKey(type)} a comment`, pin: neverPinned })
      const host = new SshHost({ name: 'server 2', target })
      assert.equal((await host.run(exec('echo', type))).stdout, `${type}\n`)
      await host.close()
    }
  })
})
