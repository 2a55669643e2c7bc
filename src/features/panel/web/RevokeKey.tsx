import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { counted } from '#web/kit/counted.ts'
import { showToast } from '#web/kit/toasts.ts'
import { api } from './api.ts'
import type { Key } from './use-keys.ts'

const LOOKED_AT = 200
const NAMED = 3

/** Who has used the key, as the activity log knows it. */
const useUsers = (keyId: string): string | undefined => {
  const { data } = useQuery({
    queryKey: ['activity', 'users', keyId],
    queryFn: () => api.keyActivity({ query: { keyId, limit: LOOKED_AT } }),
  })
  if (!data) return undefined
  if (data.total === 0) return `It wasn't used in the last ${data.retentionDays} days.`
  const addresses = [...new Set(data.items.map(({ address }) => address))]
  const others = addresses.length - NAMED
  const named = addresses.slice(0, NAMED).join(', ') + (others > 0 ? ` and ${others} more` : '')
  const count = counted(data.total, 'request')
  return `It made ${count} from ${named} in the last ${data.retentionDays} days. Scripts that use it stop working.`
}

/** Ends a key, and says before what will stop working. */
export const RevokeKey = ({ apiKey: { id, name }, onRevoked }: { apiKey: Key; onRevoked: () => void }) => {
  const queryClient = useQueryClient()
  const users = useUsers(id)
  const revoke = async () => {
    await api.keyRevoke({ params: { id } })
    showToast({ tone: 'good', text: `${name} revoked.` })
    await queryClient.invalidateQueries({ queryKey: ['keys'] })
    onRevoked()
  }
  return (
    <div>
      <ConfirmButton
        label="Revoke key"
        ask="revoke"
        color="red"
        variant="light"
        title={`Revoke ${name}?`}
        verb="Revoke key"
        name={name}
        effects={[
          'All requests with this key are refused, and so are AI connections created with it.',
          ...(users === undefined ? [] : [users]),
          'Jobs it started continue, and its requests stay in the activity log.',
        ]}
        act={revoke}
      />
    </div>
  )
}
