import type { OverviewPart } from '#features/panel/index.ts'
import type { Scope } from '#platform/scope.ts'
import { listCertificatesOfAll } from './certificates/certificate-store.ts'
import { latestOf } from './monitor/latest.ts'
import { listServers, type ServerRow } from './server-store.ts'

type Attention = OverviewPart['attention'][number]

const DAY_MS = 86_400_000
const SILENT_MS = 3 * 60_000
const EXPIRES_SOON_MS = 7 * DAY_MS
const FULL_SHARE = 0.9

/** What Home says about servers: those that are silent, failed or filling up, and certificates about to end. */
export const serverOverview = async (scope: Scope): Promise<OverviewPart> => {
  const rows = await listServers(scope.db)
  const names = new Map(rows.map(row => [row.id, row.name]))
  const certificates = await listCertificatesOfAll(scope.db)
  const ending = certificates.filter(row => row.not_after !== null && row.not_after < scope.now() + EXPIRES_SOON_MS)
  return {
    counts: { servers: rows.length, 'servers.ready': rows.filter(row => row.status === 'ready').length },
    attention: [
      ...rows.flatMap(row => troubleOf(row, scope)),
      ...ending.map(row => ({
        id: `certificate-ending:${row.id}`,
        severity: 'critical' as const,
        title: `The certificate of ${(JSON.parse(row.names) as string[])[0] ?? 'a site'} ends soon`,
        detail: row.problem ?? `It is on ${names.get(row.server_id) ?? 'a server'} and is being renewed.`,
        action: { label: 'See the server', to: `/servers/${row.server_id}` },
      })),
    ],
  }
}

const troubleOf = (row: ServerRow, scope: Scope): Attention[] => {
  const page = `/servers/${row.id}`
  const about = (kind: string, told: Omit<Attention, 'id'>): Attention => ({ id: `server-${kind}:${row.id}`, ...told })
  const sample = latestOf(scope.database).get(row.id)?.sample
  const [total, free] = [sample?.diskTotalBytes ?? 0, (sample?.diskTotalBytes ?? 0) - (sample?.diskUsedBytes ?? 0)]
  const failed = about('failed', {
    severity: 'warning',
    title: `${row.name} is not set up`,
    detail: row.problem ?? '',
    action: { label: 'Set it up again', to: `${page}/settings?ask=set-up` },
  })
  const silent = about('silent', {
    severity: 'critical',
    title: `${row.name} does not answer`,
    detail: 'The panel has not heard from it for minutes.',
    action: { label: 'See why', to: page },
  })
  const full = about('disk', {
    severity: 'critical',
    title: `The disk of ${row.name} is nearly full`,
    detail: `${Math.round((free / total) * 100)} % are free. Move the backups to another disk, or delete what nobody needs.`,
    action: { label: 'See its storage', to: `${page}/storage` },
  })
  const isSilent = row.provisioned_at !== null && scope.now() - (row.last_seen_at ?? 0) > SILENT_MS
  const isFull = total > 0 && free < total * (1 - FULL_SHARE)
  return [...(row.status === 'failed' ? [failed] : []), ...(isSilent ? [silent] : []), ...(isFull ? [full] : [])]
}
