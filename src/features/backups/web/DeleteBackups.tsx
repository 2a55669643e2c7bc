import { useFollowJob } from '#web/client/use-follow-job.ts'
import { Confirm } from '#web/kit/Confirm.tsx'
import { counted } from '#web/kit/counted.ts'
import { api } from './api.ts'

interface DeleteBackupsProps {
  ids: readonly string[]
  siteSlug: string
  onClose: () => void
  onDeleted: () => void
}

/** Asks before backups are deleted for good. */
export const DeleteBackups = ({ ids, siteSlug, onClose, onDeleted }: DeleteBackupsProps) => {
  const follow = useFollowJob()
  const what = counted(ids.length, 'backup')
  return (
    <Confirm
      title={`Delete ${what} of ${siteSlug}?`}
      verb={`Delete ${what}`}
      name={siteSlug}
      effects={[
        `${ids.length === 1 ? 'It' : 'They'} can't be restored or downloaded anymore.`,
        'Offsite copies are deleted, too.',
        'Other backups are not affected.',
        'A backup that is in use is left alone. The log names it.',
      ]}
      act={async () => {
        await follow(api.backupBulkDelete({ body: { ids: [...ids] } }))
        onDeleted()
      }}
      onClose={onClose}
    />
  )
}
