import { useQueryClient } from '@tanstack/react-query'
import { useServerNames } from '#web/client/servers.ts'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { api } from './api.ts'

/** Brings every running site to the current policy, or those of the server that the list is filtered by. */
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
      link: { label: 'View jobs', to: '/jobs?status=queued,running&type=site.reconcile' },
    })
    await queryClient.invalidateQueries()
  }
  return (
    <ConfirmButton
      size="sm"
      label="Reconcile all"
      ask="reconcile"
      title={`Reconcile ${whose}?`}
      verb="Reconcile"
      effects={[
        'Starts one job per running site. Jobs on the same server run one after another.',
        'Sites that differ from the current policy are recreated and briefly offline.',
        'Sites that match the policy are not touched.',
      ]}
      act={act}
    />
  )
}
