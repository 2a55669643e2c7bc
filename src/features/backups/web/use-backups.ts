import { useQuery } from '@tanstack/react-query'
import { schedules } from '#features/schedules/contract.ts'
import type { Site } from '#features/sites/contract.ts'
import { clientOf } from '#web/client/api.ts'
import { api } from './api.ts'

const REFRESH_MS = 30_000
const MOST = 200

export const useSiteBackups = (slug: string) =>
  useQuery({
    queryKey: ['backups', 'site', slug],
    queryFn: () => api.siteBackupList({ params: { slug } }),
    refetchInterval: REFRESH_MS,
  })

/** The newest of a site that was deleted. */
export const useDeletedSiteBackups = (siteSlug: string) =>
  useQuery({
    queryKey: ['backups', 'deleted', siteSlug],
    queryFn: () => api.backupList({ query: { siteSlug, limit: MOST } }),
  })

export const useStandings = () =>
  useQuery({ queryKey: ['backups', 'sites'], queryFn: () => api.backupSiteList(), refetchInterval: REFRESH_MS })

/** When a schedule backs the site up next; undefined when none will. */
export const useNextBackup = ({ slug, serverId, labels }: Site) =>
  useQuery({
    queryKey: ['schedules', 'list'],
    queryFn: () => clientOf(schedules).scheduleList(),
    select: ({ items }) =>
      items
        .filter(({ action, targets }) => {
          if (action !== 'backup.create' || !targets) return false
          const isLabeled = targets.labels.some(label => labels.includes(label))
          return targets.all || isLabeled || targets.servers.includes(serverId) || targets.sites.includes(slug)
        })
        .flatMap(({ nextRunAt }) => nextRunAt ?? [])
        .toSorted((a, b) => a - b)[0],
  })
