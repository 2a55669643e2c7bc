import { OWN_SERVER } from '#features/servers/index.ts'
import { bringImage, type ImageRecipe } from '#features/stack/index.ts'
import type { Scope } from '#platform/scope.ts'

/** YARA, our rules and the program that uses them. */
export const scannerImage: ImageRecipe = {
  name: 'scanner',
  version: '1',
  suite: 'trixie',
  buildArgs: {},
  toolsSuite: 'trixie',
  needsWpCli: false,
}

/** A server gets it with its first scan, and again when the rules have changed. Its name tells them apart. */
export const bringScanner = (
  { hosts, installation }: Pick<Scope, 'hosts' | 'installation'>,
  serverId: number,
  signal: AbortSignal,
): Promise<string> =>
  bringImage(
    hosts.get(OWN_SERVER),
    hosts.get(serverId),
    { recipe: scannerImage, what: 'malware scans' },
    { dataDir: installation.dataDir, signal, say() {}, onLine() {}, progress() {} },
  )
