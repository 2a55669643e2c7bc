import { getServer, ROOT, readDisk } from '#features/servers/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { htmlFolder } from '../places.ts'
import type { SiteRow } from '../site-store.ts'
import { readDatabaseSize } from './copy-database.ts'
import { readSize } from './copy-files.ts'
import { findCopy, isParked } from './copy-store.ts'

const GIB = 1024 ** 3
const MIB = 1024 ** 2
/** What a server keeps for itself. */
const RESERVE_BYTES = GIB

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
    throw new Problem('conflict', `${site.slug} has been moved meanwhile. Nothing was changed.`)
  const target = await getServer(db, asked.otherServerId)
  const folder = { host: hosts.get(site.server_id), path: htmlFolder(site.slug) }
  const neededBytes = (await readSize(folder, signal)) + (await readDatabaseSize(context, site))
  const disk = await readDisk(hosts.get(target.id), `${ROOT}/sites`, signal)
  if (disk && disk.freeBytes < neededBytes + RESERVE_BYTES)
    throw new Problem(
      'conflict',
      `${target.name} has ${Math.floor(disk.freeBytes / MIB)} MiB left; the site needs ${Math.ceil(neededBytes / MIB)} MiB and the server keeps ${RESERVE_BYTES / MIB} MiB for itself.`,
    )
}
