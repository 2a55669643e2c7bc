import type { Mount } from '#drivers/docker/container-spec.ts'
import { siteOwner, siteSocketFolder } from '#features/stack/index.ts'
import type { Host } from '#platform/host/host.ts'
import { htmlFolder, siteFolder } from '../paths.ts'
import type { SiteRow } from '../site-store.ts'

/**
 * What a throwaway container of another feature sees of a site that may be running: its files, which it can only read, and
 * the site's own way to its database. Such a container has no network, so whatever a site does, it stays among its own.
 */
export const siteView = ({ slug }: SiteRow, filesTarget: string): Mount[] => [
  { source: htmlFolder(slug), target: filesTarget, readOnly: true },
  socketView({ slug }),
]

/** Its way to its database alone, for a site that may have no files. */
export const socketView = ({ slug }: Pick<SiteRow, 'slug'>): Mount => ({
  source: siteSocketFolder(slug),
  target: '/run/mysqld',
  readOnly: true,
})

/** Its files alone, which the container can only read. */
export const filesView = ({ slug }: SiteRow, target: string): Mount => ({
  source: htmlFolder(slug),
  target,
  readOnly: true,
})

/**
 * For a throwaway container that moves files out of a site and back: `html` and what lies next to it, where the site
 * itself cannot look. One mount, because nothing can be renamed from one mount to another.
 */
export const aroundView = ({ slug }: SiteRow, target: string): Mount => ({ source: siteFolder(slug), target })

/** A folder next to the site's own that a throwaway container keeps its notes in, as the site's account. */
export const notesView = async (host: Host, site: SiteRow, name: string, target: string): Promise<Mount> => {
  const source = `${siteFolder(site.slug)}/${name}`
  await host.makeDir(source, { mode: 0o700, owner: siteOwner(site) })
  return { source, target }
}
