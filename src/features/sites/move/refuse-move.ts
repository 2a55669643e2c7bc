import { requireRoom } from '#features/servers/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { withFolder } from '../folder/open-folder.ts'
import { requireWhole } from '../life/missing.ts'
import { bringImageFor } from '../run-site.ts'
import type { SiteRow } from '../site-store.ts'
import { readDatabaseSize } from './copy-database.ts'
import { readSize } from './copy-files.ts'
import { findCopy, isParked } from './copy-store.ts'

interface Asked {
  readonly serverId: number
  readonly otherServerId: number
}

/** What may have changed since the move was asked for, and what only the servers know. */
export const refuseMove = async (context: StepContext, site: SiteRow, asked: Asked): Promise<void> => {
  const { db, hosts, signal } = context
  const copy = await findCopy(db, site.slug)
  const isOther = copy && (copy.server_id !== asked.otherServerId || isParked(copy))
  if (isOther || site.server_id !== asked.serverId)
    throw new Problem('conflict', `${site.slug} was moved in the meantime. Nothing was changed.`)
  await requireWhole(context, site)
  const image = await bringImageFor(context, site)
  const sizeBytes = await withFolder(context, site, { image, purpose: 'move' }, folder => readSize(folder, signal))
  const neededBytes = sizeBytes + (await readDatabaseSize(context, site))
  await requireRoom(hosts.get(asked.otherServerId), { neededBytes, signal })
}
