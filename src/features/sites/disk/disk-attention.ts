import type { OverviewPart } from '#features/panel/index.ts'
import { defaultDiskLimit } from '#features/stack/index.ts'
import type { Scope } from '#platform/scope.ts'
import type { Site } from '../contract.ts'
import type { SiteRow } from '../site-store.ts'
import { isNearLimit, showDisk, useText } from './disk-limit.ts'
import { listDisks, noDisk } from './disk-store.ts'

const textOf = ({ usedBytes, usedFiles, limitBytes, limitFiles }: Site['disk']): string =>
  useText({ bytes: usedBytes ?? 0, files: usedFiles ?? 0 }, { bytes: limitBytes ?? 0, files: limitFiles ?? 0 })

const itemFor = ({ slug, title }: SiteRow, disk: Site['disk']): OverviewPart['attention'] => {
  const action = { label: 'Show limits', to: `/sites/${slug}/settings` }
  const uses = `It uses ${textOf(disk)}.`
  if (disk.stoppedAt !== null)
    return [
      {
        id: `site-disk-full:${slug}`,
        severity: 'critical',
        title: `${title} was stopped: it used too much disk`,
        detail: `${uses} Raise its limit or delete files, then start it.`,
        action,
      },
    ]
  if (!isNearLimit(disk)) return []
  return [
    {
      id: `site-disk-near:${slug}`,
      severity: 'warning',
      title: `${title} is near its disk limit`,
      detail: `${uses} At the limit it is stopped.`,
      action,
    },
  ]
}

/** What Home says about the disk limits of sites, and which sites were stopped for it. */
export const diskAttention = async (scope: Scope, rows: readonly SiteRow[]) => {
  const defaults = await defaultDiskLimit(scope)
  const disks = await listDisks(scope.db)
  const shown = rows.map(row => ({ row, disk: showDisk(disks.get(row.slug) ?? noDisk(row.slug), defaults) }))
  return {
    attention: shown.flatMap(({ row, disk }) => itemFor(row, disk)),
    stopped: new Set(shown.filter(({ disk }) => disk.stoppedAt !== null).map(({ row }) => row.slug)),
  }
}
