import { defaultDiskLimit } from '#features/stack/index.ts'
import { findActiveJobOfSite } from '#platform/jobs/job-store.ts'
import type { Scope } from '#platform/scope.ts'
import type { Site } from './contract.ts'
import { showDisk } from './disk/disk-limit.ts'
import { listDisks, noDisk } from './disk/disk-store.ts'
import { type GoLiveRow, listGoLives } from './domains/go-live-store.ts'
import { type CopyRow, isParked, listCopies } from './move/copy-store.ts'
import { addressOf } from './serve-site.ts'
import { listHostnames, type SiteRow } from './site-store.ts'

export const showSites = async (scope: Scope, rows: readonly SiteRow[]): Promise<Site[]> => {
  const names = await listHostnames(
    scope.db,
    rows.map(row => row.slug),
  )
  const copies = new Map((await listCopies(scope.db)).map(copy => [copy.site_slug, copy]))
  const plans = new Map((await listGoLives(scope.db)).map(plan => [plan.site_slug, plan]))
  const disks = await listDisks(scope.db)
  const limits = await defaultDiskLimit(scope)
  return Promise.all(
    rows.map(row =>
      showSite(scope, row, {
        hostnames: names.get(row.slug) ?? [],
        copy: copies.get(row.slug),
        disk: showDisk(disks.get(row.slug) ?? noDisk(row.slug), limits),
        waitingFor: waitingFor(plans.get(row.slug)),
      }),
    ),
  )
}

export const waitingFor = (plan: GoLiveRow | undefined): string | null =>
  plan ? (plan.problem ?? 'It goes live by itself once its domains point to the server.') : null

/** A job that was undone has put everything back, so this is left by a lost panel or by a job that could not. */
const interruptedIn = ({ status }: SiteRow, copy: CopyRow | undefined): Site['interrupted'] => {
  if (status === 'creating') return 'create'
  if (status === 'deleting') return 'delete'
  return copy && !isParked(copy) ? 'move' : null
}

interface Beside {
  hostnames: string[]
  copy: CopyRow | undefined
  disk: Site['disk']
  waitingFor: Site['waitingFor']
}

const showSite = async (scope: Scope, row: SiteRow, { hostnames, copy, ...beside }: Beside): Promise<Site> => {
  const job = await findActiveJobOfSite(scope.db, row.slug)
  return {
    slug: row.slug,
    title: row.title,
    status: row.status,
    url: addressOf(hostnames[0] ?? ''),
    hostnames,
    domainMode: row.domain_mode,
    serverId: row.server_id,
    phpVersion: row.php_version,
    wordpressVersion: row.wordpress_version,
    locale: row.locale,
    adminUser: row.admin_user,
    adminEmail: row.admin_email,
    labels: JSON.parse(row.labels) as string[],
    notes: row.notes,
    ...beside,
    parkedOn: copy && isParked(copy) ? copy.server_id : null,
    interrupted: job ? null : interruptedIn(row, copy),
    missing: row.missing,
    jobId: job?.id ?? null,
    createdAt: row.created_at,
  }
}
