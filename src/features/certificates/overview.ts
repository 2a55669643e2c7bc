import type { OverviewPart } from '#features/panel/index.ts'
import { listServers } from '#features/servers/index.ts'
import type { Scope } from '#platform/scope.ts'
import { listCertificatesOfAll } from './certificate-store.ts'

const EXPIRES_SOON_MS = 7 * 86_400_000

/** What Home says about certificates: those that end soon, since they should have been renewed by now. */
export const certificateOverview = async (scope: Scope): Promise<OverviewPart> => {
  const names = new Map((await listServers(scope.db)).map(row => [row.id, row.name]))
  const certificates = await listCertificatesOfAll(scope.db)
  const ending = certificates.filter(row => row.not_after !== null && row.not_after < scope.now() + EXPIRES_SOON_MS)
  return {
    counts: {},
    attention: ending.map(row => ({
      id: `certificate-ending:${row.id}`,
      severity: 'critical',
      title: `The certificate for ${(JSON.parse(row.names) as string[])[0] ?? 'a site'} expires soon`,
      detail: row.problem ?? `It is on ${names.get(row.server_id) ?? 'a server'} and is being renewed.`,
      action: { label: 'View server', to: `/servers/${row.server_id}` },
    })),
  }
}
