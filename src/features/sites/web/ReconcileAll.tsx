import { useQueryClient } from '@tanstack/react-query'
import { useServerNames } from '#features/servers/web/use-servers.ts'
import { api } from '#web/api.ts'
import { ConfirmButton } from '#web/ui/Confirm.tsx'
import { showToast } from '#web/ui/toasts.ts'
import { useUrlState } from '#web/ui/use-url-state.ts'

/** Brings every running site to the present policy, or those of the server that the list is filtered by. */
export const ReconcileAll = () => {
  const queryClient = useQueryClient()
  const serverId = Number(useUrlState().of('serverId'))
  const serverName = useServerNames()
  const whose = serverId > 0 ? `every site on ${serverName(serverId)}` : 'every site'
  const act = async () => {
    const { jobs } = await api.siteReconcileAll({ body: serverId > 0 ? { serverId } : {} })
    showToast({
      tone: 'good',
      text: jobs.length === 1 ? '1 site is being reconciled.' : `${jobs.length} sites are being reconciled.`,
      link: { label: 'See the jobs', to: '/jobs?status=queued,running&type=site.reconcile' },
    })
    await queryClient.invalidateQueries()
  }
  return (
    <ConfirmButton
      size="sm"
      label="Reconcile all"
      ask="reconcile"
      title={`Reconcile ${whose}?`}
      verb="Reconcile them"
      effects={[
        'One job for each site that runs; on one server they go one after the other.',
        'What differs from the present policy is made anew, and such a site is away for a few seconds.',
        'Nothing happens to sites that are as they should be.',
      ]}
      act={act}
    />
  )
}
