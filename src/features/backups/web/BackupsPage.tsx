import { IconArchive } from '@tabler/icons-react'
import { schedules } from '#features/schedules/contract.ts'
import { clientOf } from '#web/client/api.ts'
import { useCan } from '#web/client/can.ts'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { Card } from '#web/kit/Card.tsx'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { backupActions } from './can.ts'
import { Standings } from './Standings.tsx'
import { useStandings } from './use-backups.ts'

const NIGHTLY = 'backups'

const BackUpAll = () => {
  const follow = useFollowJob()
  return (
    <ConfirmButton
      label="Back up all sites"
      ask="back-up-all"
      variant="filled"
      size="sm"
      title="Back up all sites now?"
      verb="Back up all sites"
      effects={[
        'Starts the nightly backup now, with one job per site. Sites keep running.',
        'Jobs on the same server run one after another.',
        'Sites with scheduled backups switched off are skipped.',
      ]}
      act={() => follow(clientOf(schedules).scheduleRun({ params: { id: NIGHTLY } }))}
    />
  )
}

/** How every site is backed up. */
export const BackupsPage = () => {
  const query = useStandings()
  const mayRun = useCan(backupActions)('backupBulkDelete').isOffered
  const hasSites = query.data?.items.some(({ standing }) => standing !== 'deleted') ?? false
  return (
    <Page
      title="Backups"
      about="Every site's files and database, stored on its server."
      actions={mayRun && hasSites && <BackUpAll />}
    >
      <Loaded query={query} skeleton={<Skeleton rows={8} />}>
        {({ items }) =>
          items.length === 0 ? (
            <Card flush>
              <Empty icon={IconArchive} title="Nothing to back up yet">
                Every site you create is backed up each night.
              </Empty>
            </Card>
          ) : (
            <Standings items={items} now={query.dataUpdatedAt} />
          )
        }
      </Loaded>
    </Page>
  )
}
