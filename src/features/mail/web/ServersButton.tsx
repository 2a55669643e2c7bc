import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { useCan } from '#web/client/can.ts'
import { useServerNames } from '#web/client/servers.ts'
import { toProblem } from '#web/kit/problem.ts'
import { showToast } from '#web/kit/toasts.ts'
import type { Pushed } from '../relay/contract.ts'
import { api } from './api.ts'
import { mailActions } from './can.ts'

interface ServersButtonProps {
  label: string
  act: () => Promise<{ servers: z.infer<typeof Pushed> }>
  /** What is so when every server did it, and what is not when some did not; their names follow. */
  done: string
  failed: string
}

/** Does something on every server, and names those where it failed. */
const ServersButton = ({ label, act, done, failed }: ServersButtonProps) => {
  const nameOf = useServerNames()
  const queries = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: act,
    onSuccess: ({ servers }) => {
      const names = servers.filter(({ ok }) => !ok).map(({ serverId }) => nameOf(serverId))
      if (names.length === 0) showToast({ tone: 'good', text: done })
      else showToast({ tone: 'bad', text: `${failed} ${names.join(', ')}.` })
    },
    onError: error => showToast({ tone: 'bad', text: toProblem(error).message }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['mail'] }),
  })
  return (
    <Button variant="default" size="xs" loading={isPending} onClick={() => mutate()}>
      {label}
    </Button>
  )
}

/** Writes every DKIM key to every server again, for a server that was down when one changed. */
export const SyncKeys = () =>
  useCan(mailActions)('mailDkimSync').isOffered && (
    <ServersButton
      label="Sync DKIM keys"
      act={() => api.mailDkimSync()}
      done="Every server has the DKIM keys."
      failed="The keys could not be written to"
    />
  )

/** Reads what the relays have logged since the last minute. */
export const ReadLogs = () =>
  useCan(mailActions)('mailIngest').isOffered && (
    <ServersButton
      label="Read logs now"
      act={() => api.mailIngest()}
      done="All messages up to now are listed."
      failed="The log could not be read on"
    />
  )
