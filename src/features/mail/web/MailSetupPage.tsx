import { Anchor } from '@mantine/core'
import { IconWorld } from '@tabler/icons-react'
import { Link } from 'react-router'
import { CheckList } from '#features/servers/web/index.ts'
import { Card } from '#web/kit/Card.tsx'
import { counted } from '#web/kit/counted.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Footnote } from '#web/kit/Footnote.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { Status } from '#web/kit/Status.tsx'
import { type Column, RowLink, Table } from '#web/kit/Table.tsx'
import type { SetupCheck } from '../relay/contract.ts'
import { RelayName } from './RelayName.tsx'
import { TestMessage } from './TestMessage.tsx'
import { useMailSetup } from './use-mail.ts'
import { checkStates, TABS } from './words.ts'

type Setup = NonNullable<ReturnType<typeof useMailSetup>['data']>

const itemOf = ({ id, title, verdict, message, todo }: SetupCheck) => ({
  name: id,
  title,
  state: checkStates[verdict],
  message,
  ...(todo !== null && { todo }),
})

const Mode = ({ mode, smarthost }: Pick<Setup, 'mode' | 'smarthost'>) => (
  <Footnote>
    {mode === 'direct' ? 'Servers deliver mail themselves, through port 25' : `All mail goes through ${smarthost}`}:{' '}
    <Anchor component={Link} to="/settings#mailRelay" inherit underline="always">
      change
    </Anchor>
  </Footnote>
)

type DomainPlan = Setup['domains'][number]

const PLAN_COLUMNS: readonly Column<DomainPlan>[] = [
  {
    id: 'domain',
    title: 'Domain',
    cell: ({ domain }) => <RowLink to={`/mail/domains?domain=${domain}`}>{domain}</RowLink>,
  },
  {
    id: 'records',
    title: 'To publish',
    cell: ({ records }) =>
      records.length === 0 ? (
        <Status tone="good" word="Nothing" />
      ) : (
        <Status tone="warning" word={counted(records.length, 'record')} />
      ),
  },
]

const NoDomains = (
  <Empty icon={IconWorld} title="No domains yet">
    The domains of your sites appear here.
  </Empty>
)

/** What is missing until mail arrives, as a list to work through. */
export const MailSetupPage = () => {
  const query = useMailSetup()
  return (
    <Page
      title="Mail setup"
      about="What has to be set up for mail to arrive."
      tabs={TABS}
      actions={<TestMessage servers={query.data?.servers ?? []} />}
    >
      <Loaded query={query} skeleton={<Skeleton rows={8} />}>
        {setup => (
          <>
            <Mode {...setup} />
            {setup.servers.map(({ serverId, name, hostname, publicIp, checks }) => (
              <Section
                key={serverId}
                title={name}
                about={hostname}
                actions={<RelayName {...{ serverId, hostname, publicIp }} />}
              >
                <Card>
                  <CheckList items={checks.map(itemOf)} />
                </Card>
              </Section>
            ))}
            <Section title="Domains">
              <Table
                label="Records to publish"
                rows={setup.domains}
                columns={PLAN_COLUMNS}
                idOf={({ domain }) => domain}
                empty={NoDomains}
              />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}
