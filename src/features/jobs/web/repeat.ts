import type { Job } from '#platform/contract/job.ts'
import { api } from '#web/api.ts'

type Again = (job: { slug: string; serverId: number }) => Promise<{ job: Job }>

/** Jobs that are told all they need by where they act. Others start again from the page that knows their inputs. */
const again: Record<string, Again> = {
  'site.start': ({ slug }) => api.siteStart({ params: { slug } }),
  'site.stop': ({ slug }) => api.siteStop({ params: { slug } }),
  'site.restart': ({ slug }) => api.siteRestart({ params: { slug } }),
  'site.reconcile': ({ slug }) => api.siteReconcile({ params: { slug } }),
  'server.provision': ({ serverId }) => api.serverReprovision({ params: { id: serverId } }),
}

/** How to start a failed or canceled job once more; undefined where that makes no sense. */
export const repeatOf = ({ type, status, siteSlug, serverId }: Job): (() => Promise<{ job: Job }>) | undefined => {
  const repeat = again[type]
  if (!repeat || (status !== 'failed' && status !== 'canceled')) return undefined
  if (type.startsWith('site.') ? siteSlug === null : serverId === null) return undefined
  return () => repeat({ slug: siteSlug ?? '', serverId: serverId ?? 0 })
}
