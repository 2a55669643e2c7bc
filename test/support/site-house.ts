import assert from 'node:assert/strict'
import type { Vps } from '#test/fleet/vps.ts'
import { endedOn, logOn, register } from './drive-panel.ts'
import { leasedServers } from './leased-servers.ts'
import { type TestPanel, type TestPanelOptions, testPanel } from './panel.ts'
import { giveCache } from './stack-disk.ts'

const LIMIT_MS = 10 * 60_000

/** All of a site that there can be on a server; ids and times differ from run to run and are left out. */
const LOOK = `docker ps -a --filter label=fleetpress.site --format '{{.Names}} {{.State}} {{.Image}}' | sort
docker network ls --filter label=fleetpress.site --format '{{.Name}}' | sort
find /srv/fleetpress/sites /srv/fleetpress/database-proxy /srv/fleetpress/run/site-databases -mindepth 1 -maxdepth 1 -printf '%f\\n' | sort
ls /srv/fleetpress/database/data | grep '^wp_'
docker exec --user root fleetpress-database mariadb -N -e "select user, host from mysql.user where user like 'wp%' order by 1"
cd /srv/fleetpress/edge/current && find . -path '*site*' -type f | sort
find /srv/fleetpress/run/detached -mindepth 1 -maxdepth 1 2>/dev/null
true`

/** A panel and servers that are set up, ready for sites. */
export interface SiteHouse {
  readonly panel: TestPanel
  readonly servers: readonly Vps[]
  /** In the order of `servers`. */
  readonly ids: readonly number[]
  /** Throws with its log when the job does not succeed. */
  succeeded(jobId: string): Promise<unknown>
  create(slug: string, serverId?: number): Promise<{ url: string; adminPassword: string }>
  [Symbol.asyncDispose](): Promise<void>
}

export const lookAtSites = async (server: Vps): Promise<string[]> =>
  (await server.exec(['bash', '-c', LOOK])).stdout.split('\n').filter(line => line !== '')

export const siteHouse = async (
  count: number,
  options: TestPanelOptions = {},
  serversFor = leasedServers,
): Promise<SiteHouse> => {
  const held = new AsyncDisposableStack()
  try {
    const fleet = held.use(await serversFor(count))
    const panel = await testPanel(options)
    held.defer(() => panel.stop())
    await giveCache(panel.config.dataDir)
    await panel.engine.start()
    const succeeded = async (jobId: string) => {
      const job = await endedOn(panel, await jobOf(panel, jobId), LIMIT_MS)
      assert.equal(job.status, 'succeeded', `${job.error?.message}\n${await logOn(panel, job)}`)
      return job.result
    }
    const ids: number[] = []
    for (const server of fleet.servers) ids.push(await register(panel, server))
    await Promise.all(
      ids.map(async id => succeeded((await panel.as('full').serverReprovision({ params: { id } })).job.id)),
    )
    const create = async (slug: string, serverId = ids[0]) => {
      const account = { adminUser: 'ada', adminEmail: 'ada@example.com' }
      const body = { title: `Site ${slug}`, slug, domainMode: 'dev' as const, ...account, serverId }
      const { job } = await panel.as('full').siteCreate({ body })
      return (await succeeded(job.id)) as { url: string; adminPassword: string }
    }
    return { panel, servers: fleet.servers, ids, succeeded, create, [Symbol.asyncDispose]: () => held.disposeAsync() }
  } catch (error) {
    await held.disposeAsync()
    throw error
  }
}

const jobOf = async (panel: TestPanel, id: string) => (await panel.as('full').jobGet({ params: { id }, query: {} })).job
