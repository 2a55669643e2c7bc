import { getServer, ROOT } from '#features/servers/index.ts'
import type { Db } from '#platform/db/database.ts'
import { exec } from '#platform/host/command.ts'
import type { Scope } from '#platform/scope.ts'

/** Where the backups of one site lie. */
export interface Place {
  readonly serverId: number
  readonly slug: string
}

export const placeOf = ({ slug, server_id: serverId }: { slug: string; server_id: number }): Place => ({
  slug,
  serverId,
})

/** All that a server keeps of the backups of a site, which may be gone. */
export const placeFolder = async (db: Db, { serverId, slug }: Place): Promise<string> =>
  `${(await getServer(db, serverId)).backup_root}/${slug}`

/** What is being put together for one backup, or taken from one; named after it, so that what is left of it can be found. */
export const workFolder = (folder: string, id: string): string => `${folder}/work-${id}`

/** Where a container sees all that `placeFolder` is. */
export const BACKUPS = '/backups'

/** The same as a container sees it. */
export const workInside = (id: string): string => workFolder(BACKUPS, id)

/** Harmless when there is none. */
export const removeWork = async (
  { db, hosts }: Pick<Scope, 'db' | 'hosts'>,
  place: Place,
  id: string,
): Promise<void> => {
  const folder = workFolder(await placeFolder(db, place), id)
  await hosts.get(place.serverId).run(exec('rm', '-rf', '--one-file-system', '--', folder), { timeoutMs: 600_000 })
}

/** Held while containers that use the repository of a site are started and counted. */
export const lockFile = ({ slug }: Place): string => `${ROOT}/run/backups-${slug}.lock`
