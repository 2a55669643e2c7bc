import type { Db } from '#platform/db/database.ts'
import { findCopy } from './move/copy-store.ts'
import type { SiteInput } from './site-job.ts'
import type { SiteRow } from './site-store.ts'

/** Where a site is. What is done to it there does not concern a copy elsewhere. */
export const placeOf = ({ slug, server_id: serverId }: SiteRow): SiteInput => ({ slug, serverId })

/** Where a site is, and where else it has something: on the server it moves to, or has moved from. */
export const placesOf = async ({ slug, server_id: serverId }: SiteRow, db: Db): Promise<SiteInput> => {
  const copy = await findCopy(db, slug)
  return { slug, serverId, ...(copy && { otherServerId: copy.server_id }) }
}
