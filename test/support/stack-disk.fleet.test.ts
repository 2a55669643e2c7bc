import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Vps } from '#test/fleet/vps.ts'
import { leasedServers } from './leased-servers.ts'
import { giveCache } from './stack-disk.ts'

const LIMIT = { timeout: 15 * 60_000 }

const read = async (server: Vps, text: string): Promise<string> => (await server.exec(['sh', '-c', text])).stdout.trim()

describe('servers that start from the kept disk', LIMIT, () => {
  it('have the stack, nothing of a site, and their own identity', async () => {
    await using fleet = await leasedServers(2)
    const [one, two] = fleet.servers
    assert.ok(one && two)
    for (const server of [one, two]) {
      const containers = await read(server, "docker ps --format '{{.Names}}' | sort")
      const parts = ['database', 'database-proxy', 'edge', 'relay']
      assert.deepEqual(
        containers.split('\n'),
        parts.map(part => `fleetpress-${part}`),
      )
      assert.equal(await read(server, 'ls /srv/fleetpress/sites; ls ~/.ssh'), '')
      assert.match(await read(server, 'ls /srv/fleetpress/core'), /\.spare$/m)
    }
    for (const own of ['cat /etc/ssh/ssh_host_ed25519_key.pub', 'cat /etc/machine-id']) {
      const [first, second] = [await read(one, own), await read(two, own)]
      assert.ok(first.length >= 32)
      assert.notEqual(first, second)
    }
    await read(one, 'touch /srv/fleetpress/only-here && sync')
    assert.equal((await two.exec(['ls', '/srv/fleetpress/only-here'])).exitCode, 2)
  })

  it('come with the WordPress their panel had', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'fleetpress-cache-'))
    try {
      await giveCache(dataDir)
      const files = readdirSync(join(dataDir, 'cache'))
      assert.ok(files.some(name => /^wordpress-.*\.tar\.gz$/.test(name)))
      assert.ok(existsSync(join(dataDir, 'cache', files.find(name => name.startsWith('database-')) ?? 'none')))
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  })
})
