import { OWN_SERVER } from '#features/servers/index.ts'
import type { Scope } from '#platform/scope.ts'
import { listBackups } from '../backup-store.ts'
import { forgetLocal } from './delete-backups.ts'

/** The server is deleted. What has a copy elsewhere stays listed, to be fetched to the panel's own server. */
export const leaveServer = async (scope: Scope, serverId: number): Promise<void> => {
  const rows = await listBackups(scope.db, { serverId })
  await forgetLocal(
    scope,
    rows.map(({ id }) => id),
    OWN_SERVER,
  )
}
