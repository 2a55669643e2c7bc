import { listCertificates } from '#features/certificates/index.ts'
import { databaseNameOf, listPresent } from '#features/sites/index.ts'
import type { Scope } from '#platform/scope.ts'
import type { Leftover } from './contract.ts'
import { findLeftovers } from './find-leftovers.ts'
import { readFound } from './host/read-found.ts'

/** The rows are read after the server, so that a site that is just being created is never taken for a leftover. */
export const lookForLeftovers = async (scope: Scope, serverId: number, signal: AbortSignal): Promise<Leftover[]> => {
  const found = await readFound(scope, serverId, signal)
  const slugs = await listPresent(scope.db, serverId)
  const certificates = await listCertificates(scope.db, serverId)
  return findLeftovers(found, {
    slugs: new Set(slugs),
    databases: new Set(slugs.map(databaseNameOf)),
    certificates: new Set(certificates.map(({ id }) => id)),
  })
}
