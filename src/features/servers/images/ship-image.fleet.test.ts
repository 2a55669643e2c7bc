import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { findImage } from '#drivers/docker/images.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { Secret } from '#platform/host/secret.ts'
import { newSshKeyPair } from '#platform/host/ssh/key-pair.ts'
import { SshHost } from '#platform/host/ssh/ssh-host.ts'
import { vps } from '#test/fleet/vps.ts'
import { dockerOf } from '../stack/docker-of.ts'
import { ensureImage, shipImage } from './ensure-image.ts'
import { STACK_IMAGES } from './recipes.ts'

void describe('shipImage', { timeout: 15 * 60_000 }, () => {
  void it('carries an image to another server over SSH, once, however many ask', async () => {
    await using fleet = await vps(1, { docker: true })
    const [server] = fleet.servers
    assert.ok(server)
    const { privateKey, publicKey } = await newSshKeyPair('test')
    await server.authorize(publicKey)
    const target = {
      address: server.address,
      port: server.sshPort,
      user: 'root',
      privateKey: new Secret(privateKey),
      hostKey: null,
      pin: async () => {},
    }
    const here = new LocalHost()
    const there = new SshHost({ name: 'there', target: async () => target })
    const dataDir = await mkdtemp(join(tmpdir(), 'fleetpress-ship-'))
    try {
      const ref = await ensureImage(STACK_IMAGES.edge, { host: here, dataDir })
      const shipped = await Promise.all([shipImage(here, there, ref), shipImage(here, there, ref)])
      assert.deepEqual(shipped, [true, false])
      assert.equal((await findImage(dockerOf(there), ref))?.id, (await findImage(dockerOf(here), ref))?.id)
      await assert.rejects(shipImage(here, there, 'fleetpress/none:1'), { status: 404 })
    } finally {
      await there.close()
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})
