import { siteOwner } from '#features/stack/index.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { siteNetwork } from './network.ts'
import { writeMounted } from './site-folder.ts'
import { listHostnames, type SiteRow } from './site-store.ts'

type Work = Pick<StepContext, 'db' | 'hosts' | 'signal'>

const LOOPBACK = '127.0.0.1 localhost\n::1 localhost\n'
const NOBODY = 65_534

/** What a site sees as /etc/hosts, /etc/passwd and /etc/group. */
export const writeEtcFiles = async (work: Work, site: SiteRow): Promise<void> =>
  place(work, site, { ...accountTexts(site), hosts: await hostsText(work, site) })

export const writeHosts = async (work: Work, site: SiteRow): Promise<void> =>
  place(work, site, { hosts: await hostsText(work, site) })

const place = ({ hosts, signal }: Work, { server_id, slug }: SiteRow, texts: Record<string, string>): Promise<void> =>
  writeMounted(hosts.get(server_id), slug, texts, signal)

/** A site reaches its own names through the edge of its server, whatever DNS says. The primary name comes first. */
const hostsText = async ({ db }: Work, { slug, network_index }: SiteRow): Promise<string> => {
  const serving = (await listHostnames(db, [slug])).get(slug) ?? []
  const arriving = (await listHostnames(db, [slug], 'arriving')).get(slug) ?? []
  const { gateway } = siteNetwork(slug, network_index)
  return `${LOOPBACK}${gateway} ${[...serving, ...arriving].join(' ')}\n`
}

/** The number is the site's own; inside the site it is still called www-data. */
const accountTexts = (site: SiteRow) => {
  const { uid, gid } = siteOwner(site)
  const passwd = [
    'root:x:0:0:root:/:/usr/sbin/nologin',
    `www-data:x:${uid}:${gid}:www-data:/var/www:/usr/sbin/nologin`,
    `nobody:x:${NOBODY}:${NOBODY}:nobody:/nonexistent:/usr/sbin/nologin`,
  ]
  const group = ['root:x:0:', `www-data:x:${gid}:`, `nogroup:x:${NOBODY}:`]
  return { passwd: `${passwd.join('\n')}\n`, group: `${group.join('\n')}\n` }
}
