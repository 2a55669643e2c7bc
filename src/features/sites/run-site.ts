import type { ContainerSpec } from '#drivers/docker/container-spec.ts'
import { readEngine } from '#drivers/docker/engine.ts'
import { type Change, dropContainer, ensureContainer, waitHealthy } from '#drivers/docker/ensure-container.ts'
import { ensureNetwork, removeNetwork } from '#drivers/docker/networks.ts'
import { OWN_SERVER, requireRoom } from '#features/servers/index.ts'
import {
  bringSiteImage,
  dockerOf,
  ensureSiteSocket,
  removeSiteSocket,
  SITE_LABEL,
  siteLimits,
} from '#features/stack/index.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import { sideBySide } from '#platform/sequence/side-by-side.ts'
import { siteContainer } from './container.ts'
import { mergeContainerParts } from './container-parts.ts'
import { allowStart } from './disk/allow-start.ts'
import { writeEtcFiles } from './etc-files.ts'
import { ensureOwner, hasOwner, removeOwnerChange } from './identity/ensure-owner.ts'
import { siteName, siteNetwork } from './network.ts'
import type { SiteRow } from './site-store.ts'

type Work = Pick<StepScope, 'hosts' | 'installation' | 'signal' | 'say' | 'output' | 'progress'>

/** WordPress, its database, and a PHP that no other site of the server has. */
const NEW_SITE_BYTES = 512 * 1024 ** 2

/** The disk of its server has room for what a new site or another PHP brings along. */
export const requireRoomFor = ({ hosts, signal }: Pick<Work, 'hosts' | 'signal'>, site: SiteRow): Promise<void> =>
  requireRoom(hosts.get(site.server_id), { neededBytes: NEW_SITE_BYTES, signal })

/** The image of the site's PHP is on its server. */
export const bringImageFor = (
  { hosts, installation, signal, say, output, progress }: Work,
  site: SiteRow,
): Promise<string> =>
  bringSiteImage(hosts.get(OWN_SERVER), hosts.get(site.server_id), site.php_version, {
    dataDir: installation.dataDir,
    signal,
    say,
    progress,
    onLine: line => output('stdout', line),
  })

/** The site runs as the policy says; what differs is recreated, what does not is left alone. */
export const ensureSiteRuns = async (work: StepScope, site: SiteRow): Promise<Change> => {
  const change = await startSite(work, site)
  await waitUntilHealthy(work, site)
  return change
}

export const waitUntilHealthy = ({ hosts, signal }: Pick<Work, 'hosts' | 'signal'>, site: SiteRow): Promise<void> =>
  waitHealthy(dockerOf(hosts.get(site.server_id)), siteName(site.slug), { signal })

const ensureSiteNetwork = async ({ hosts, signal }: Pick<Work, 'hosts' | 'signal'>, site: SiteRow) => {
  const { name, subnet, gateway } = siteNetwork(site.slug, site.network_index)
  const labels = { [SITE_LABEL]: site.slug }
  await ensureNetwork(dockerOf(hosts.get(site.server_id)), { name, subnet, gateway, labels }, { signal })
}

/** The same, without waiting until it answers. */
export const startSite = async (work: StepScope, site: SiteRow): Promise<Change> =>
  startPrepared(work, site, await prepareStart(work, site))

/** All that its container needs on the server, but its own files. */
export const prepareStart = async (work: StepScope, site: SiteRow): Promise<ContainerSpec> => {
  const { hosts, signal } = work
  const docker = dockerOf(hosts.get(site.server_id))
  const image = await bringImageFor(work, site)
  const [limits, parts] = await sideBySide(
    readEngine(docker, { signal }).then(({ cpus }) => siteLimits(work, cpus)),
    work.events.raise(work, 'siteContainer', { site }),
    ensureSiteNetwork(work, site),
    writeEtcFiles(work, site),
    allowStart(work, site),
    ensureSiteSocket(hosts.get(site.server_id), site.slug, signal),
  )
  return siteContainer(site, image, limits, mergeContainerParts(parts))
}

export const startPrepared = async (work: StepScope, site: SiteRow, container: ContainerSpec): Promise<Change> => {
  await ensureOwner(work, site, container.image)
  return ensureContainer(dockerOf(work.hosts.get(site.server_id)), container, { signal: work.signal })
}

/** For what relies on the owner of files: a site from before it had its own user gets it now. */
export const settleOwner = async (work: StepScope, site: SiteRow): Promise<void> => {
  if (await hasOwner(work, site)) return
  if (site.status === 'running') await ensureSiteRuns(work, site)
  else await ensureOwner(work, site, await bringImageFor(work, site))
}

export const removeSiteContainer = async ({ hosts }: Pick<Work, 'hosts'>, site: SiteRow): Promise<void> => {
  const host = hosts.get(site.server_id)
  const docker = dockerOf(host)
  await removeOwnerChange({ hosts }, site)
  await dropContainer(docker, siteName(site.slug))
  await removeNetwork(docker, siteName(site.slug))
  await removeSiteSocket(host, site.slug)
}
