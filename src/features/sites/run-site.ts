import { readEngine } from '#drivers/docker/engine.ts'
import { type Change, dropContainer, ensureContainer, waitHealthy } from '#drivers/docker/ensure-container.ts'
import { ensureNetwork, removeNetwork } from '#drivers/docker/networks.ts'
import { bringSiteImage, dockerOf, OWN_SERVER, SITE_LABEL, siteLimits } from '#features/servers/index.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { siteContainer } from './container.ts'
import { siteName, siteNetwork } from './network.ts'
import type { SiteRow } from './site-store.ts'

type Work = Pick<StepContext, 'hosts' | 'place' | 'settings' | 'signal' | 'say' | 'output'>

/** The image of the site's PHP is on its server. */
export const bringImageFor = ({ hosts, place, signal, say, output }: Work, site: SiteRow): Promise<string> =>
  bringSiteImage(hosts.get(OWN_SERVER), hosts.get(site.server_id), site.php_version, {
    dataDir: place.dataDir,
    signal,
    say,
    onLine: line => output('stdout', line),
  })

/** The site runs as the policy says; what differs is made anew, what does not is left alone. */
export const ensureSiteRuns = async (work: Work, site: SiteRow): Promise<Change> => {
  const change = await startSite(work, site)
  await waitUntilHealthy(work, site)
  return change
}

export const waitUntilHealthy = ({ hosts, signal }: Pick<Work, 'hosts' | 'signal'>, site: SiteRow): Promise<void> =>
  waitHealthy(dockerOf(hosts.get(site.server_id)), siteName(site.slug), { signal })

export const ensureSiteNetwork = async ({ hosts, signal }: Pick<Work, 'hosts' | 'signal'>, site: SiteRow) => {
  const { name, subnet, gateway } = siteNetwork(site.slug, site.network_index)
  const labels = { [SITE_LABEL]: site.slug }
  await ensureNetwork(dockerOf(hosts.get(site.server_id)), { name, subnet, gateway, labels }, { signal })
}

/** The same, without waiting until it answers. */
export const startSite = async (work: Work, site: SiteRow): Promise<Change> => {
  const { hosts, signal } = work
  const docker = dockerOf(hosts.get(site.server_id))
  const image = await bringImageFor(work, site)
  await ensureSiteNetwork(work, site)
  const limits = await siteLimits(work, (await readEngine(docker, { signal })).cpus)
  return ensureContainer(docker, siteContainer(site, image, limits), { signal })
}

export const removeSiteContainer = async ({ hosts }: Pick<Work, 'hosts'>, site: SiteRow): Promise<void> => {
  const docker = dockerOf(hosts.get(site.server_id))
  await dropContainer(docker, siteName(site.slug))
  await removeNetwork(docker, siteName(site.slug))
}
