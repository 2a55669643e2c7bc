import type { ContainerSpec, Limits } from '#drivers/docker/container-spec.ts'
import { DATABASE_SOCKET_FOLDER, SITE_LABEL } from '#features/servers/index.ts'
import { siteNetwork } from './network.ts'
import { htmlFolder, WWW_DATA } from './places.ts'
import type { SiteRow } from './site-store.ts'

const MIB = 1024 ** 2
/** Where the site's own web server listens. */
export const SITE_PORT = 8080

/** The container of a site is a function of the site and the policy, and of nothing else. */
export const siteContainer = (site: SiteRow, image: string, limits: Limits): ContainerSpec => {
  const { name, gateway, address } = siteNetwork(site.slug, site.network_index)
  return {
    name,
    image,
    user: `${WWW_DATA.uid}:${WWW_DATA.gid}`,
    readOnly: true,
    network: { name, ip: address },
    mounts: [
      { source: htmlFolder(site.slug), target: '/var/www/html' },
      { source: DATABASE_SOCKET_FOLDER, target: '/run/mysqld', readOnly: true },
    ],
    tmpfs: [
      { target: '/tmp', sizeBytes: 256 * MIB, ...WWW_DATA },
      { target: '/run', sizeBytes: 16 * MIB, mode: 0o755, ...WWW_DATA },
    ],
    limits,
    env: { FLEETPRESS_GATEWAY: gateway },
    labels: { [SITE_LABEL]: site.slug },
    restart: 'unless-stopped',
    stopTimeoutSeconds: 20,
    init: true,
  }
}
