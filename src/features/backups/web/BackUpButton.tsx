import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { backups } from '../contract.ts'
import { api } from './api.ts'
import { backupActions } from './can.ts'

/** Backs up a site now, with a note if wanted. */
export const BackUpButton = ({ site }: { site: Site }) => {
  const follow = useFollowJob()
  const { isOffered, reason } = useCan(backupActions)('backupCreate', { site })
  const [note, setNote] = useState('')
  const backUp = () => {
    const body = checked(backups.backupCreate.body, note.trim() === '' ? {} : { note: note.trim() })
    return follow(api.backupCreate({ params: { slug: site.slug }, body }))
  }
  return (
    isOffered && (
      <ConfirmButton
        label="Back up now"
        ask="back-up"
        variant="filled"
        refusal={reason}
        title={`Back up ${site.title}?`}
        verb="Back up now"
        effects={['Files and database are saved on the server. The site keeps running.']}
        act={backUp}
      >
        <TextInput
          label="Note (optional)"
          placeholder="Before the redesign"
          maxLength={100}
          value={note}
          onChange={event => setNote(event.currentTarget.value)}
        />
      </ConfirmButton>
    )
  )
}
