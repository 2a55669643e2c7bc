import type { ContainerSpec, Limits } from '#drivers/docker/container-spec.ts'
import { SITE_LABEL, siteOwner, siteSocketFolder } from '#features/stack/index.ts'
import type { Owner } from '#platform/host/host.ts'
import type { SiteContainerPart } from './hooks.ts'
import { siteNetwork } from './network.ts'
import { groupFile, hostsFile, htmlFolder, passwdFile } from './paths.ts'
import type { SiteRow } from './site-store.ts'

const MIB = 1024 ** 2
/** Where the site's own web server listens. */
export const SITE_PORT = 8080

/** The container of a site is a function of the site, the policy and what features add, and of nothing else. */
export const siteContainer = (
  site: SiteRow,
  image: string,
  limits: Limits,
  { mounts = [], env = {} }: SiteContainerPart = {},
): ContainerSpec => {
  const { name, gateway, address } = siteNetwork(site.slug, site.network_index)
  const owner = siteOwner(site)
  return {
    name,
    image,
    user: `${owner.uid}:${owner.gid}`,
    readOnly: true,
    network: { name, ip: address },
    mounts: [
      { source: htmlFolder(site.slug), target: '/var/www/html' },
      { source: hostsFile(site.slug), target: '/etc/hosts', readOnly: true },
      { source: passwdFile(site.slug), target: '/etc/passwd', readOnly: true },
      { source: groupFile(site.slug), target: '/etc/group', readOnly: true },
      { source: siteSocketFolder(site.slug), target: '/run/mysqld', readOnly: true },
      ...mounts,
    ],
    tmpfs: siteTmpfs(owner),
    limits,
    // The engine looks for the home folder in the image, where this user has no name.
    env: { ...env, FLEETPRESS_GATEWAY: gateway, HOME: '/var/www' },
    labels: { [SITE_LABEL]: site.slug },
    restart: 'unless-stopped',
    stopTimeoutSeconds: 20,
  }
}

interface Beside {
  readonly name: string
  /** Files and the folder of a database's socket, which are not those of the site. */
  readonly files: string
  readonly sockets: string
}

/** A throwaway container like that of the site, with other files and another database, and without a network. */
export const containerBeside = (site: SiteRow, image: string, { name, files, sockets }: Beside): ContainerSpec => {
  const owner = siteOwner(site)
  return {
    name,
    image,
    user: `${owner.uid}:${owner.gid}`,
    readOnly: true,
    network: 'none',
    mounts: [
      { source: files, target: '/var/www/html' },
      { source: sockets, target: '/run/mysqld', readOnly: true },
    ],
    tmpfs: siteTmpfs(owner),
    limits: { memoryBytes: 512 * MIB, cpus: 1, pids: 128 },
    env: { FLEETPRESS_GATEWAY: '127.0.0.1', HOME: '/var/www' },
    restart: 'no',
    stopTimeoutSeconds: 1,
    cpuShares: 128,
  }
}

const siteTmpfs = (owner: Owner) => [
  { target: '/tmp', sizeBytes: 256 * MIB, ...owner },
  { target: '/run', sizeBytes: 16 * MIB, mode: 0o755, ...owner },
]
