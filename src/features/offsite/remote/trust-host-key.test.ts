import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { LocalHost } from '#platform/host/local-host.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { type Sshd, startSshd } from '#test/support/sshd.ts'
import { getDestination } from '../destinations/destination-store.ts'
import { accessOf } from './check-access.ts'
import { storageOf } from './storage-config.ts'
import { trustFirst, withHostKey } from './trust-host-key.ts'

for (const engineName of ENGINES)
  describe(`the host key of an SFTP server, on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let sshd: Sshd
    const local = new LocalHost()
    const scope = () => ({ ...panel.world.scope({ kind: 'anonymous' }), hosts: { get: () => local } }) as never
    const db = () => panel.foundation.database.db
    const sftp = (name: string, port: number, part: { hostKey?: string } = {}) => ({
      name,
      provider: 'sftp' as const,
      config: { host: '127.0.0.1', port, user: 'ada', ...part },
      secrets: { password: 'secret' },
    })
    const make = async (...args: Parameters<typeof sftp>) => {
      const { id } = await panel.as('full').destinationCreate({ body: sftp(...args) })
      return getDestination(db(), id)
    }
    before(async () => {
      panel = await testPanel({ engineName })
      sshd = await startSshd({ keyTypes: ['ed25519', 'ecdsa', 'rsa'] })
    })
    after(async () => {
      await sshd?.stop()
      await panel.stop()
    })

    it('is recorded at the first contact, shown, and the only one that rclone is given', async () => {
      const row = await make('First', sshd.port)
      const [one, two] = await Promise.all([trustFirst(scope(), 1, row), trustFirst(scope(), 1, row)])
      assert.equal(one.config, two.config)
      const access = accessOf(panel.foundation.box, one)
      assert.ok(access.provider === 'sftp' && access.config.hostKey !== undefined)
      assert.equal(access.config.hostKey, sshd.hostKey('ecdsa'), 'the one that rclone prefers')
      const shown = (await panel.as('read-only').destinationList()).items.find(({ id }) => id === row.id)
      assert.equal(shown?.config.hostKey, access.config.hostKey)
      const { options, knownHost } = storageOf(access)
      assert.equal(knownHost, `[127.0.0.1]:${sshd.port} ${access.config.hostKey}\n`)
      assert.equal(options.known_hosts_file, '/tmp/known_hosts')
    })

    it('that was entered stays, whatever the server shows', async () => {
      const hostKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEBwwoq1LRYZL00szyIzDBwF1MbSQAKepI9br0zcDR7A'
      const row = await make('Entered', sshd.port, { hostKey })
      assert.deepEqual(await trustFirst(scope(), 1, row), row)
      const access = accessOf(panel.foundation.box, row)
      assert.equal(await withHostKey(scope(), 1, access), access)
    })

    it('is not recorded by a test of what is not saved', async () => {
      const row = await make('Tested', sshd.port)
      const access = accessOf(panel.foundation.box, row)
      const tested = await withHostKey(scope(), 1, access)
      assert.ok(tested.provider === 'sftp' && tested.config.hostKey !== undefined)
      assert.equal((await getDestination(db(), row.id)).config, row.config)
    })

    it('is not known when no SSH server responds, and nothing is recorded', async () => {
      const closing: Server = createServer(socket => socket.on('error', () => {}).end('no ssh here\r\n'))
      await new Promise<void>(resolve => closing.listen(0, '127.0.0.1', resolve))
      const { port } = closing.address() as { port: number }
      const row = await make('No SSH', port)
      await assert.rejects(trustFirst(scope(), 1, row), { code: 'storage_unreachable', isPassing: true })
      closing.close()
      const gone = await make('Nothing', port)
      await assert.rejects(trustFirst(scope(), 1, gone), { message: /can't be reached\. Check its address/ })
      assert.equal((await getDestination(db(), gone.id)).config, gone.config)
    })
  })
