import type { Mount } from '#drivers/docker/container-spec.ts'
import { siteSocketFolder } from '#features/stack/index.ts'
import { htmlFolder } from '../paths.ts'
import type { SiteRow } from '../site-store.ts'

/**
 * What a throwaway container of another feature sees of a site that may be running: its files, which it can only read, and
 * the site's own way to its database. Such a container has no network, so whatever a site does, it stays among its own.
 */
export const siteView = ({ slug }: SiteRow, filesTarget: string): Mount[] => [
  { source: htmlFolder(slug), target: filesTarget, readOnly: true },
  { source: siteSocketFolder(slug), target: '/run/mysqld', readOnly: true },
]
