import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { serverRelocateBackups } from '#features/servers/jobs/server.relocate-backups.ts'
import type { Fleet, Vps } from '#test/fleet/vps.ts'
import { exerciseJob } from '#test/support/job-kit.ts'
import { ownServers } from '#test/support/leased-servers.ts'
import type { TestPanel } from '#test/support/panel.ts'
import { SOAK } from '#test/support/soak.ts'
import { serverApplySiteLimits } from './server.apply-site-limits.ts'
import { serverProvision } from './server.provision.ts'

const LIMIT_MS = 5 * 60_000
/** With the firewall alone, with everything, and past the point of no return. */
const DEEPEST = ['load-firewall', 'check-stack', 'publish-panel']
const CLEAR = `docker rm -f $(docker ps -aq) 2>/dev/null
nft delete table inet fleetpress 2>/dev/null
systemctl disable --now fleetpress-disk-watch fleetpress-mount 2>/dev/null
umount /srv/fleetpress 2>/dev/null
rm -rf /srv/fleetpress /srv/elsewhere /etc/systemd/system/fleetpress-*.service
exit 0`
const SOME_BACKUPS = `mkdir -p /srv/fleetpress/backups/shop && cd /srv/fleetpress/backups/shop
head -c 3000000 /dev/urandom > one.tar.zst && echo two > "two 'quoted' \\$name" && ln -s one.tar.zst latest && chmod 600 *`
const LISTING = `cd "$1" 2>/dev/null && find . -mindepth 1 -printf '%P %y %m %l\\n' | sort && find . -type f -print0 | sort -z | xargs -0r sha256sum`

describe('jobs of servers, on a real one', { timeout: 30 * 60_000 }, () => {
  let fleet: Fleet
  let server: Vps
  const shell = async (text: string, ...words: string[]): Promise<string> =>
    (await server.exec(['bash', '-c', text, 'bash', ...words])).stdout

  before(async () => {
    fleet = await ownServers(1)
    const [first] = fleet.servers
    assert.ok(first)
    server = first
  })
  after(() => fleet?.[Symbol.asyncDispose]())

  /** A panel that has never seen this machine gets to know it. */
  const register = async (panel: TestPanel): Promise<number> => {
    const api = panel.as('full')
    await server.authorize((await api.serverSshPublicKey()).publicKey)
    const { server: added, checks } = await api.serverCreate({
      body: { name: 'vps', sshHost: server.address, devDomain: 'vps.localhost' },
    })
    assert.ok(
      checks.every(check => check.ok),
      JSON.stringify(checks),
    )
    return added.id
  }

  it('server.provision: steps may run twice, and a failure leaves what was there before', () =>
    exerciseJob('sqlite', serverProvision, {
      limitMs: LIMIT_MS,
      ...(SOAK ? {} : { failAt: DEEPEST }),
      prepare: async panel => {
        await shell(CLEAR)
        return { serverId: await register(panel) }
      },
      look: async () => ({
        containers: (await shell("docker ps -a --format '{{.Names}} {{.State}}' | sort")).split('\n'),
        firewall: (await shell('nft list table inet fleetpress 2>/dev/null | head -1')).trim(),
        unit: (await shell('systemctl is-enabled fleetpress-firewall 2>/dev/null')).trim(),
      }),
    }))

  it('server.applySiteLimits: changes every site in place, or none', () =>
    exerciseJob('sqlite', serverApplySiteLimits, {
      limitMs: LIMIT_MS,
      prepare: async panel => {
        await shell(CLEAR)
        const image = (await shell("docker images --format '{{.Repository}}:{{.Tag}}' | grep fleetpress/edge")).trim()
        for (const slug of ['one', 'two']) {
          const words = ['--label', `fleetpress.site=${slug}`, '--memory=300m', '--cpus=0.5', '--pids-limit=99']
          await server.exec(['docker', 'run', '-d', '--name', slug, ...words, '--entrypoint=sleep', image, '1000'])
        }
        await panel.as('full').settingsUpdate({ body: { siteLimits: { cpus: 1, memoryMiB: 400, processes: 150 } } })
        return { serverId: await register(panel) }
      },
      look: async () => {
        const format =
          '{{.Id}} {{.State.StartedAt}} {{.HostConfig.Memory}} {{.HostConfig.NanoCpus}} {{.HostConfig.PidsLimit}}'
        const lines = (await shell('docker inspect --format "$1" one two', format)).trim().split('\n')
        return lines.map(line => line.split(' ').slice(2))
      },
    }))

  it('server.relocateBackups: copies, compares, switches; a failure before that changes nothing', () =>
    exerciseJob('sqlite', serverRelocateBackups, {
      limitMs: LIMIT_MS,
      prepare: async panel => {
        await shell(`${CLEAR.replace('exit 0', '')}${SOME_BACKUPS}`)
        return { serverId: await register(panel), to: '/srv/elsewhere/backups' }
      },
      look: async panel => {
        const { items } = await panel.as('full').serverList()
        const contents = async (folder: string) => (await shell(LISTING, folder)).replaceAll(/[0-9a-f]{64}/g, 'hash')
        return {
          root: items.at(-1)?.backupRoot,
          old: await contents('/srv/fleetpress/backups'),
          new: await contents('/srv/elsewhere/backups'),
        }
      },
    }))
})
