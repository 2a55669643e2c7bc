import type { Scope } from '#platform/scope.ts'
import { listConnections, updateConnection } from './connection-store.ts'
import { KNOWN_CONNECTIONS, siteSlugsOf } from './connections.ts'

/** A later site of the same name is not one that a connection was given. */
export const forgetSite = async (
  scope: Pick<Scope, 'db' | 'memo'>,
  { site: { slug } }: { site: { slug: string } },
): Promise<void> => {
  for (const row of await listConnections(scope.db)) {
    const slugs = siteSlugsOf(row)
    if (!slugs?.includes(slug)) continue
    await updateConnection(scope.db, row.id, { site_slugs: JSON.stringify(slugs.filter(one => one !== slug)) })
  }
  scope.memo(KNOWN_CONNECTIONS).clear()
}
