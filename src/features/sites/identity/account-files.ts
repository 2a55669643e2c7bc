import { siteOwner } from '#features/stack/index.ts'
import { FileNotFound } from '#platform/host/errors.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { groupFile, passwdFile } from '../paths.ts'
import type { SiteRow } from '../site-store.ts'

type Work = Pick<StepContext, 'hosts'>

const NOBODY = 65_534

/** The number is the site's own; inside the site it is still called www-data. */
const accountFiles = (site: SiteRow): [path: string, text: string][] => {
  const { uid, gid } = siteOwner(site)
  const passwd = [
    'root:x:0:0:root:/:/usr/sbin/nologin',
    `www-data:x:${uid}:${gid}:www-data:/var/www:/usr/sbin/nologin`,
    `nobody:x:${NOBODY}:${NOBODY}:nobody:/nonexistent:/usr/sbin/nologin`,
  ]
  const group = ['root:x:0:', `www-data:x:${gid}:`, `nogroup:x:${NOBODY}:`]
  return [
    [passwdFile(site.slug), `${passwd.join('\n')}\n`],
    [groupFile(site.slug), `${group.join('\n')}\n`],
  ]
}

/** What the site sees as /etc/passwd and /etc/group. */
export const writeAccountFiles = async ({ hosts }: Work, site: SiteRow): Promise<void> => {
  const host = hosts.get(site.server_id)
  const write = async ([path, text]: [string, string]) => {
    const isSame = await host.readFile(path).then(
      found => found.toString() === text,
      (error: unknown) => {
        if (error instanceof FileNotFound) return false
        throw error
      },
    )
    if (!isSame) await host.writeFile(path, text, { mode: 0o644 })
  }
  await Promise.all(accountFiles(site).map(write))
}
