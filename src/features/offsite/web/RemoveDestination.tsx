import { Checkbox } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useCan } from '#web/client/can.ts'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { showToast } from '#web/kit/toasts.ts'
import type { Destination } from '../contract.ts'
import { api } from './api.ts'
import { destinationActions } from './can.ts'

/** Removes a destination, with or without the copies there. */
export const RemoveDestination = ({ destination }: { destination: Destination }) => {
  const { id, name } = destination
  const [deleteRemote, setDeleteRemote] = useState(false)
  const { reason } = useCan(destinationActions)('destinationDelete', destination)
  const follow = useFollowJob()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const remove = async () => {
    const { job } = await api.destinationDelete({
      params: { id },
      query: { deleteRemote: deleteRemote ? 'true' : 'false' },
    })
    await queryClient.invalidateQueries({ queryKey: ['destinations'] })
    if (job) {
      await follow(Promise.resolve({ job }))
      return
    }
    await navigate('/offsite')
    showToast({ tone: 'good', text: `${name} removed.` })
  }
  return (
    <ConfirmButton
      label="Remove"
      ask="remove"
      title={`Remove ${name}?`}
      verb="Remove destination"
      name={name}
      refusal={reason}
      effects={[
        'Nothing is copied there any more.',
        'Backups that are only there can no longer be fetched by this panel.',
        'Its passphrase is deleted from this panel. Save it first if you want to read the copies later.',
      ]}
      act={remove}
    >
      <Checkbox
        label="Delete the copies there, too"
        checked={deleteRemote}
        onChange={event => setDeleteRemote(event.currentTarget.checked)}
      />
    </ConfirmButton>
  )
}
