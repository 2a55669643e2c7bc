import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { findImage } from '#drivers/docker/images.ts'
import type { Host } from '#platform/host/host.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { Secret } from '#platform/host/secret.ts'
import { newSshKeyPair } from '#platform/host/ssh/key-pair.ts'
import { SshHost } from '#platform/host/ssh/ssh-host.ts'
import { vps } from '#test/fleet/vps.ts'
import { stackParts } from '#test/support/stack-parts.ts'
import { dockerOf } from '../docker-of.ts'
import { debianRef } from './debian.ts'
import { ensureImage, shipImages } from './ensure-image.ts'

void describe('shipImages', { timeout: 15 * 60_000 }, () => {
  void it('ships images to another server over SSH, once however many ask, and what they share once', async () => {
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
    const imageOn = async (host: Host, ref: string) => (await findImage(dockerOf(host), ref)) ?? assert.fail(ref)
    const received = async () =>
      Number((await server.exec(['cat', '/sys/class/net/eth0/statistics/rx_bytes'])).stdout.trim())
    const dataDir = await mkdtemp(join(tmpdir(), 'fleetpress-ship-'))
    try {
      const parts = await stackParts()
      const refs = await Promise.all(parts.map(part => ensureImage(part.image, { host: here, dataDir })))
      const before = await received()
      const told: [number, number][] = []
      const onShipped = (...part: [number, number]) => void told.push(part)
      const shipped = await Promise.all([shipImages(here, there, refs, { onShipped }), shipImages(here, there, refs)])
      const receivedBytes = (await received()) - before
      assert.deepEqual(shipped, [refs, []])
      for (const ref of refs) assert.equal((await imageOn(there, ref)).id, (await imageOn(here, ref)).id)
      const sizes = await Promise.all(refs.map(async ref => (await imageOn(here, ref)).sizeBytes))
      const base = await imageOn(here, debianRef(parts[0]?.image.suite ?? ''))
      const oneByOne = sizes.reduce((sum, size) => sum + size, 0)
      assert.ok(told.length > 10)
      assert.ok(told.every(([done, total]) => done <= total && total === oneByOne))
      assert.ok(receivedBytes < oneByOne - base.sizeBytes / 2, `${receivedBytes} of ${oneByOne} bytes`)
      await assert.rejects(shipImages(here, there, ['fleetpress/none:1']), { status: 404 })
    } finally {
      await there.close()
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})
