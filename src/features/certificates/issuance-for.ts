import { findServer, ROOT } from '#features/servers/index.ts'
import type { Scope } from '#platform/scope.ts'
import type { Issuance } from './issuance.ts'
import { certificateSettings } from './settings.ts'

/** Undefined for a server that is not set up: there is nothing that could answer the authority's challenges. */
export const issuanceFor = async (scope: Scope, serverId: number): Promise<Omit<Issuance, 'signal'> | undefined> => {
  const row = await findServer(scope.db, serverId)
  if (!row || row.provisioned_at === null) return undefined
  const { directoryUrl } = await scope.settings.read(certificateSettings)
  return {
    serverId,
    directoryUrl,
    email: row.acme_email,
    rootDir: ROOT,
    dnsChallenge: async signal => (await scope.events.raise(scope, 'dnsChallenge', { signal })).find(Boolean),
    reload: async () => {
      await scope.events.raise(scope, 'certificatePushed', { serverId })
    },
  }
}
