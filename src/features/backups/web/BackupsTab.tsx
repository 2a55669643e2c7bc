import { Alert, Anchor } from '@mantine/core'
import { IconAlertTriangle, IconArchive } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Site } from '#features/sites/contract.ts'
import { bytesText } from '#web/kit/bytes.ts'
import { counted } from '#web/kit/counted.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import type { Backup, SiteStanding } from '../contract.ts'
import { BackUpButton } from './BackUpButton.tsx'
import { BackupsTable } from './BackupsTable.tsx'
import { OffsiteChoice } from './OffsiteChoice.tsx'
import { ScheduledBackups } from './ScheduledBackups.tsx'
import { useSiteBackups } from './use-backups.ts'

const Failed = ({ failure: { jobId, message } }: { failure: NonNullable<SiteStanding['failure']> }) => (
  <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden="true" />} title="The last backup failed">
    {message}{' '}
    <Anchor component={Link} to={`?job=${jobId}`} size="sm" underline="always">
      View log
    </Anchor>
  </Alert>
)

const None = (
  <Empty icon={IconArchive} title="No backups yet">
    A backup holds all files and the database. Unchanged data is stored only once.
  </Empty>
)

const totalText = (items: readonly Backup[]): string =>
  `${counted(items.length, 'backup')}, ${bytesText(items.reduce((sum, { addedBytes }) => sum + addedBytes, 0))} on the server`

/** The backups of a site: creating, restoring, and when the next one is due. */
export const BackupsTab = ({ site }: { site: Site }) => {
  const query = useSiteBackups(site.slug)
  return (
    <Loaded query={query} skeleton={<Skeleton rows={4} height="4rem" />}>
      {({ items, enabled, offsiteEnabled, failure }) => (
        <>
          {failure && <Failed failure={failure} />}
          <Section title="Backups" about={items.length > 0 && totalText(items)} actions={<BackUpButton site={site} />}>
            <BackupsTable {...{ items, site }} siteSlug={site.slug} now={query.dataUpdatedAt} empty={None} />
          </Section>
          <ScheduledBackups site={site} isOn={enabled !== false} />
          <OffsiteChoice site={site} choice={offsiteEnabled} />
        </>
      )}
    </Loaded>
  )
}
