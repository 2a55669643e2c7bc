import { Button } from '@mantine/core'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { Facts } from '#web/kit/Facts.tsx'
import { refused } from '#web/kit/refused.ts'
import { Section } from '#web/kit/Section.tsx'
import { Status } from '#web/kit/Status.tsx'
import type { Backup } from '../contract.ts'
import { api } from './api.ts'
import { backupActions } from './can.ts'
import { copyWords } from './words.ts'

interface BackupCopiesProps {
  backup: Backup
  /** Absent for a site that was deleted. */
  site?: Site | undefined
  onStarted: () => void
}

/** Where else a backup is; copying it there, and fetching it back. */
export const BackupCopies = ({ backup, site, onStarted }: BackupCopiesProps) => {
  const can = useCan(backupActions)
  const follow = useFollowJob()
  const [copy, fetch] = [can('backupCopy', { site, backup }), can('backupFetch', { site, backup })]
  const params = { id: backup.id }
  const start = async (started: Parameters<typeof follow>[0]) => {
    await follow(started)
    onStarted()
  }
  return (
    <Section
      title="Offsite copies"
      actions={
        <>
          {copy.isAllowed && (
            <Button variant="default" size="xs" onClick={() => void start(api.backupCopy({ params }))}>
              Copy now
            </Button>
          )}
          {fetch.isOffered && (
            <Button
              variant="default"
              size="xs"
              {...refused(fetch.reason)}
              onClick={() => fetch.isAllowed && void start(api.backupFetch({ params, body: {} }))}
            >
              Fetch back
            </Button>
          )}
        </>
      }
    >
      {backup.copies.length === 0 ? (
        'None.'
      ) : (
        <Facts
          facts={backup.copies.map(({ destinationName, status }) => [
            destinationName,
            <Status key={destinationName} {...copyWords[status]} />,
          ])}
        />
      )}
    </Section>
  )
}
