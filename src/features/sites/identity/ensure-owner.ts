import type { ContainerSpec } from '#drivers/docker/container-spec.ts'
import { findContainer, stopContainer } from '#drivers/docker/containers.ts'
import { dropContainer } from '#drivers/docker/ensure-container.ts'
import { dockerOf, runOnce, siteOwner } from '#features/stack/index.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { siteName } from '../network.ts'
import { htmlFolder } from '../paths.ts'
import type { SiteRow } from '../site-store.ts'

type Work = Pick<StepContext, 'hosts' | 'signal' | 'say'>

const MIB = 1024 ** 2
const FILES = '/var/www/html'
const LIMIT_MS = 30 * 60_000
const STOP_TIMEOUT_SECONDS = 20

const nameOf = (slug: string): string => `${siteName(slug)}.owner`

/** Only root can change the owner of the folder itself, and it is changed last: it tells whether all files belong to the site. */
export const hasOwner = async ({ hosts }: Pick<Work, 'hosts'>, site: SiteRow): Promise<boolean> => {
  const { uid, gid } = await hosts.get(site.server_id).stat(htmlFolder(site.slug))
  const owner = siteOwner(site)
  return uid === owner.uid && gid === owner.gid
}

/**
 * All files of the site belong to its own user. A site from before it had one is stopped for as long as that takes; the
 * caller starts it.
 */
export const ensureOwner = async (work: Work, site: SiteRow, image: string): Promise<void> => {
  if (await hasOwner(work, site)) return
  const docker = dockerOf(work.hosts.get(site.server_id))
  const name = siteName(site.slug)
  if (await findContainer(docker, name, work))
    await stopContainer(docker, name, { timeoutSeconds: STOP_TIMEOUT_SECONDS, signal: work.signal })
  const { ok, output } = await runOnce(docker, changeOwner(site, image), { timeoutMs: LIMIT_MS, signal: work.signal })
  if (!ok || !(await hasOwner(work, site))) throw new Error(`the owner of the files could not be changed: ${output}`)
  work.say('Its files now belong to its own user.')
}

/** Sees nothing but the files of this site, and links are not followed, so whatever they are, nothing else is changed. */
const changeOwner = (site: SiteRow, image: string): ContainerSpec => {
  const { uid, gid } = siteOwner(site)
  return {
    name: nameOf(site.slug),
    image,
    user: '0:0',
    entrypoint: ['chown'],
    command: ['--recursive', '--no-dereference', `${uid}:${gid}`, FILES],
    readOnly: true,
    capAdd: ['CHOWN', 'DAC_READ_SEARCH'],
    network: 'none',
    mounts: [{ source: htmlFolder(site.slug), target: FILES }],
    limits: { memoryBytes: 256 * MIB, cpus: 1, pids: 16 },
    restart: 'no',
  }
}

/** What an interrupted `ensureOwner` has left. */
export const removeOwnerChange = ({ hosts }: Pick<Work, 'hosts'>, site: SiteRow): Promise<void> =>
  dropContainer(dockerOf(hosts.get(site.server_id)), nameOf(site.slug))
