import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useCan } from '#web/client/can.ts'
import { useServerNames } from '#web/client/servers.ts'
import { toProblem } from '#web/kit/problem.ts'
import { showToast } from '#web/kit/toasts.ts'
import { api } from './api.ts'
import { mailActions } from './can.ts'

/** Writes every DKIM key to every server again, for a server that was down when one changed. */
export const SyncKeys = () => {
  const can = useCan(mailActions)
  const nameOf = useServerNames()
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.mailDkimSync(),
    onSuccess: ({ servers }) => {
      const failed = servers.filter(({ ok }) => !ok)
      const names = failed.map(({ serverId }) => nameOf(serverId)).join(', ')
      const text =
        failed.length === 0 ? 'Every server has the DKIM keys.' : `The keys could not be written to ${names}.`
      showToast({ tone: failed.length === 0 ? 'good' : 'bad', text })
    },
    onError: error => showToast({ tone: 'bad', text: toProblem(error).message }),
  })
  if (!can('mailDkimSync').isOffered) return null
  return (
    <Button variant="default" size="xs" loading={isPending} onClick={() => mutate()}>
      Sync DKIM keys
    </Button>
  )
}
