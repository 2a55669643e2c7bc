import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { useServerNames } from '#web/client/servers.ts'
import { bytesText } from '#web/kit/bytes.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Facts } from '#web/kit/Facts.tsx'
import { refused } from '#web/kit/refused.ts'
import { minuteTime } from '#web/kit/time.ts'
import { useTimeZone } from '#web/kit/time-zone.ts'
import type { Backup } from '../contract.ts'
import { BackupCopies } from './BackupCopies.tsx'
import { backupActions } from './can.ts'
import { DeleteBackups } from './DeleteBackups.tsx'
import { RestoreBackup } from './RestoreBackup.tsx'
import { typeWords } from './words.ts'

const BackupFacts = ({ backup }: { backup: Backup }) => {
  const serverName = useServerNames()
  return (
    <Facts
      facts={[
        ['Type', typeWords[backup.type]],
        ['Note', backup.note || null],
        ['Size', bytesText(backup.sizeBytes)],
        ['Added on the server', bytesText(backup.addedBytes)],
        ['Files', backup.files.toLocaleString('en')],
        ['WordPress', backup.wordpressVersion],
        ['PHP', backup.phpVersion],
        ['Stored on', backup.onServer ? serverName(backup.serverId) : 'Offsite only'],
      ]}
    />
  )
}

interface BackupDrawerProps {
  backup: Backup
  /** Absent for a site that was deleted. */
  site?: Site | undefined
  onClose: () => void
}

/** One backup next to the list: what is in it, and what can be done with it. */
export const BackupDrawer = ({ backup, site, onClose }: BackupDrawerProps) => {
  const can = useCan(backupActions)
  const timeZone = useTimeZone()
  const [asked, setAsked] = useState<'restore' | 'delete'>()
  const [restore, download] = [can('backupRestore', { site, backup }), can('backupDownload', { site, backup })]
  const close = () => setAsked(undefined)
  return (
    <Dialog
      kind="side"
      title={`Backup of ${minuteTime(backup.createdAt, timeZone)}`}
      onClose={onClose}
      footer={
        <>
          {can('backupBulkDelete').isOffered && (
            <Button variant="light" color="red" onClick={() => setAsked('delete')}>
              Delete
            </Button>
          )}
          {download.isAllowed && (
            <Button component="a" variant="default" href={`/api/backups/${backup.id}/download`} download>
              Download
            </Button>
          )}
          {restore.isOffered && (
            <Button {...refused(restore.reason)} onClick={() => restore.isAllowed && setAsked('restore')}>
              Restore…
            </Button>
          )}
        </>
      }
    >
      <Stack gap="lg">
        <BackupFacts backup={backup} />
        <BackupCopies {...{ backup, site }} onStarted={onClose} />
      </Stack>
      {asked === 'restore' && site && (
        <RestoreBackup {...{ backup, site }} refusal={restore.reason} onClose={close} onStarted={onClose} />
      )}
      {asked === 'delete' && (
        <DeleteBackups ids={[backup.id]} siteSlug={backup.siteSlug} onClose={close} onDeleted={onClose} />
      )}
    </Dialog>
  )
}
