import { latestSites } from '#features/monitor/index.ts'
import type { OverviewPart } from '#features/panel/index.ts'
import type { Scope } from '#platform/scope.ts'
import { diskAttention } from './disk/disk-attention.ts'
import { listGoLives } from './domains/go-live-store.ts'
import { isParked, listCopies } from './move/copy-store.ts'
import { showSites, waitingFor } from './show-site.ts'
import { listSites, type SiteRow } from './site-store.ts'

/** What Home says about sites: those that should run and do not, and those that use too much disk. */
export const siteOverview = async (scope: Scope): Promise<OverviewPart> => {
  const rows = await listSites(scope.db)
  const running = rows.filter(row => row.status === 'running')
  const disk = await diskAttention(scope, rows)
  const down = running.filter(
    ({ slug, server_id, missing }) =>
      missing === null && !disk.stopped.has(slug) && latestSites(scope, server_id)?.get(slug)?.up === false,
  )
  return {
    counts: { sites: rows.length, 'sites.running': running.length },
    attention: [
      ...(await interruptedSites(scope, rows)),
      ...rows.flatMap(missingSite),
      ...disk.attention,
      ...(await waitingSites(scope, rows)),
      ...down.map(({ slug, title }) => ({
        id: `site-down:${slug}`,
        severity: 'critical' as const,
        title: `${title} is down`,
        detail: 'Its container is not running. Reconcile the site to start it again.',
        action: { label: 'Reconcile', to: `/sites/${slug}/settings?ask=reconcile` },
      })),
    ],
  }
}

const GONE = {
  all: 'is no longer on its server',
  files: 'has no files on its server',
  database: 'has no complete database on its server',
} as const

const missingSite = ({ slug, title, missing }: SiteRow): OverviewPart['attention'] =>
  missing === null
    ? []
    : [
        {
          id: `site-missing:${slug}`,
          severity: 'critical',
          title: `${title} ${GONE[missing]}`,
          detail: 'Visitors see an error. Restore a backup of it.',
          action: { label: 'Restore a backup', to: `/sites/${slug}/backups` },
        },
      ]

const waitingSites = async (scope: Scope, rows: readonly SiteRow[]): Promise<OverviewPart['attention']> => {
  const titles = new Map(rows.map(({ slug, title }) => [slug, title]))
  return (await listGoLives(scope.db)).map(plan => ({
    id: `site-waiting:${plan.site_slug}`,
    severity: 'info',
    title: `${titles.get(plan.site_slug) ?? plan.site_slug} is waiting for DNS`,
    detail: waitingFor(plan) ?? '',
    action: { label: 'See its domains', to: `/sites/${plan.site_slug}/domains` },
  }))
}

const WORDS = {
  create: { title: 'was not fully created', ask: 'reconcile', label: 'Finish' },
  move: { title: 'was interrupted while moving', ask: 'reconcile', label: 'Resolve the move' },
  delete: { title: 'was not fully deleted', ask: 'delete', label: 'Delete' },
} as const

const interruptedSites = async (scope: Scope, rows: readonly SiteRow[]): Promise<OverviewPart['attention']> => {
  const moving = new Set((await listCopies(scope.db)).filter(copy => !isParked(copy)).map(copy => copy.site_slug))
  const unsettled = rows.filter(
    ({ slug, status }) => status === 'creating' || status === 'deleting' || moving.has(slug),
  )
  return (await showSites(scope, unsettled)).flatMap(({ slug, title, interrupted }) => {
    if (interrupted === null) return []
    const words = WORDS[interrupted]
    return [
      {
        id: `site-interrupted:${slug}`,
        severity: 'warning' as const,
        title: `${title} ${words.title}`,
        detail: 'Its job no longer exists, for example after a restore.',
        action: { label: words.label, to: `/sites/${slug}/settings?ask=${words.ask}` },
      },
    ]
  })
}
