import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#web/api.ts'
import { ConfirmButton } from '#web/ui/Confirm.tsx'
import { counted } from '#web/ui/counted.ts'
import { showToast } from '#web/ui/toasts.ts'
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
  if (data.total === 0) return `It was not used in the last ${data.retentionDays} days.`
  const addresses = [...new Set(data.items.map(({ address }) => address))]
  const others = addresses.length - NAMED
  const named = addresses.slice(0, NAMED).join(', ') + (others > 0 ? ` and ${others} more` : '')
  const count = counted(data.total, 'request')
  return `What runs at ${named} stops working: it made ${count} with this key in the last ${data.retentionDays} days.`
}

/** Ends a key, and says before what will stop working. */
export const RevokeKey = ({ apiKey: { id, name }, onRevoked }: { apiKey: Key; onRevoked: () => void }) => {
  const queryClient = useQueryClient()
  const users = useUsers(id)
  const revoke = async () => {
    await api.keyRevoke({ params: { id } })
    showToast({ tone: 'good', text: `${name} is revoked.` })
    await queryClient.invalidateQueries({ queryKey: ['keys'] })
    onRevoked()
  }
  return (
    <div>
      <ConfirmButton
        label="Revoke the key"
        ask="revoke"
        color="red"
        variant="light"
        title={`Revoke ${name}?`}
        verb="Revoke the key"
        name={name}
        effects={[
          'Every request with it is refused from now on.',
          ...(users === undefined ? [] : [users]),
          'Jobs it has started go on, and what it did stays in the activity log.',
        ]}
        act={revoke}
      />
    </div>
  )
}
