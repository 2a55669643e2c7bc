import { OWN_SERVER } from '#features/servers/index.ts'
import { bringImage, type ImageRecipe } from '#features/stack/index.ts'
import type { Scope } from '#platform/scope.ts'

/** restic, rclone and the programs of the database. */
export const backupImage: ImageRecipe = {
  name: 'backup',
  version: '1',
  suite: 'trixie',
  buildArgs: {},
  needsWpCli: false,
}

/** Servers have it since they were last set up; one from before gets it now. */
export const bringBackupImage = (
  { hosts, installation }: Pick<Scope, 'hosts' | 'installation'>,
  serverId: number,
  signal: AbortSignal,
): Promise<string> =>
  bringImage(
    hosts.get(OWN_SERVER),
    hosts.get(serverId),
    { recipe: backupImage, what: 'backups' },
    { dataDir: installation.dataDir, signal, say() {}, onLine() {}, progress() {} },
  )
