import { Alert, Group } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { SiteLicenses } from '#features/recipes/web/index.ts'
import type { Site } from '#features/sites/contract.ts'
import { Card } from '#web/kit/Card.tsx'
import { counted } from '#web/kit/counted.ts'
import { Facts } from '#web/kit/Facts.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { minuteTime } from '#web/kit/time.ts'
import { useTimeZone } from '#web/kit/time-zone.ts'
import type { WordpressStatus } from '../inventory/contract.ts'
import { AddPlugin } from './AddPlugin.tsx'
import { api } from './api.ts'
import { ItemsTable } from './ItemsTable.tsx'
import { Maintenance } from './Maintenance.tsx'
import { SyncButton } from './SyncButton.tsx'
import { UpdateAll } from './UpdateAll.tsx'
import { Users } from './Users.tsx'
import { VulnerabilityNote } from './VulnerabilityNote.tsx'

const useStatus = (slug: string) =>
  useQuery({ queryKey: ['sites', 'wordpress', slug], queryFn: () => api.wpStatus({ params: { slug } }) })

const CoreFacts = ({ status }: { status: WordpressStatus }) => {
  const timeZone = useTimeZone()
  const { core, counts, scannedAt, updatesCheckedAt } = status
  const time = (at: number | null) => (at === null ? 'Never' : minuteTime(at, timeZone))
  return (
    <Card>
      <Facts
        facts={[
          ['Version', core?.version ?? 'Not known'],
          ['Update', core?.update?.version ?? (core ? 'Up to date' : null)],
          ['Minor update', core?.update?.minor],
          ['Database', core?.databaseOutdated ? 'Needs an upgrade' : null],
          ['PHP', core?.php],
          ['Users', core ? String(counts.users) : null],
          ['Checked for updates', core ? time(updatesCheckedAt) : null],
          ['Last read', time(scannedAt)],
        ]}
      />
      {core && <VulnerabilityNote title="WordPress" vulnerabilities={core.vulnerabilities} />}
    </Card>
  )
}

const Actions = ({ site, status }: { site: Site; status: WordpressStatus }) => (
  <Group gap="xs">
    <SyncButton site={site} />
    <UpdateAll site={site} status={status} />
  </Group>
)

const Broken = ({ problem }: { problem: string | null }) => (
  <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden="true" />} title="WordPress doesn't load">
    A plugin or theme stops it. Deactivate or update it.{problem && ` PHP says: ${problem}`}
  </Alert>
)

/** The WordPress of a site: core, plugins and themes with their updates. */
export const WordpressTab = ({ site }: { site: Site }) => (
  <Loaded query={useStatus(site.slug)} skeleton={<Skeleton rows={3} height="10rem" />}>
    {status => (
      <>
        {status.broken && <Broken problem={status.problem} />}
        <Section title="WordPress" actions={<Actions site={site} status={status} />}>
          <CoreFacts status={status} />
          <Maintenance site={site} />
        </Section>
        <Section
          title="Plugins"
          about={counted(status.plugins.length, 'plugin')}
          actions={<AddPlugin site={site} installed={new Set(status.plugins.map(({ name }) => name))} />}
        >
          <ItemsTable kind="plugin" site={site} items={status.plugins} />
        </Section>
        <SiteLicenses site={site} />
        <Section title="Themes" about={counted(status.themes.length, 'theme')}>
          <ItemsTable kind="theme" site={site} items={status.themes} />
        </Section>
        <Users site={site} />
      </>
    )}
  </Loaded>
)
