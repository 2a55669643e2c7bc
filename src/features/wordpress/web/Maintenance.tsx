import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { ActRow } from '#web/kit/ActRow.tsx'
import { Card } from '#web/kit/Card.tsx'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { api } from './api.ts'
import { wordpressActions } from './can.ts'

/** Shows visitors a notice instead of the site. */
export const Maintenance = ({ site }: { site: Site }) => {
  const verdict = useCan(wordpressActions)('wpMaintenanceSet', site)
  const queryClient = useQueryClient()
  const queryKey = ['sites', 'wordpress-maintenance', site.slug]
  const params = { slug: site.slug }
  const { data } = useQuery({ queryKey, queryFn: () => api.wpMaintenance({ params }), enabled: verdict.isAllowed })
  if (!verdict.isOffered) return null
  const isOn = data?.enabled === true
  return (
    <Card flush>
      <ActRow title="Maintenance mode" about="Visitors get a notice (503). Administrators get it too.">
        <ConfirmButton
          label={isOn ? 'Turn off' : 'Turn on'}
          ask="maintenance"
          refusal={verdict.reason}
          title={isOn ? 'Turn maintenance mode off?' : 'Turn maintenance mode on?'}
          verb={isOn ? 'Turn off' : 'Turn on'}
          effects={[isOn ? 'Visitors see the site again.' : 'Visitors get a notice (503) until you turn it off.']}
          act={async () => {
            queryClient.setQueryData(queryKey, await api.wpMaintenanceSet({ params, body: { enabled: !isOn } }))
          }}
        />
      </ActRow>
    </Card>
  )
}
