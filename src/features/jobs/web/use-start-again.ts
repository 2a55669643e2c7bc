import type { Job } from '#platform/contract/job.ts'
import { useRegistry } from '#web/client/registry.ts'
import { useMay } from '#web/client/session.ts'

/** How this person can start a failed or canceled job once more; undefined where they cannot or where that makes no sense. */
export const useStartAgain = ({ type, status, siteSlug, serverId }: Job): (() => Promise<{ job: Job }>) | undefined => {
  const known = useRegistry().startAgain[type]
  const may = useMay()
  if (!known || !may(known.needs) || (status !== 'failed' && status !== 'canceled')) return undefined
  if (type.startsWith('site.') ? siteSlug === null : serverId === null) return undefined
  return () => known.start({ slug: siteSlug ?? '', serverId: serverId ?? 0 })
}
