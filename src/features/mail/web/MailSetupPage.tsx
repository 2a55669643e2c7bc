import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { CheckList } from '#features/servers/web/index.ts'
import { Card } from '#web/kit/Card.tsx'
import { Footnote } from '#web/kit/Footnote.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { Status } from '#web/kit/Status.tsx'
import type { SetupCheck } from '../relay/contract.ts'
import { RecordFields } from './DomainRecords.tsx'
import classes from './Mail.module.css'
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

const DomainPlan = ({ domain, records }: Setup['domains'][number]) => (
  <Section title={domain}>
    <Card>
      {records.length === 0 ? (
        <Status tone="good" word="Nothing to publish" />
      ) : (
        <ul className={classes.records}>
          {records.map(record => (
            <li key={record.name}>
              <RecordFields record={record} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  </Section>
)

/** What is missing until mail arrives, as a list to work through. */
export const MailSetupPage = () => (
  <Page title="Mail" about="What has to be set up for mail to arrive." tabs={TABS}>
    <Loaded query={useMailSetup()} skeleton={<Skeleton rows={8} />}>
      {setup => (
        <>
          <Mode {...setup} />
          {setup.servers.map(({ serverId, name, hostname, checks }) => (
            <Section key={serverId} title={name} about={hostname}>
              <Card>
                <CheckList items={checks.map(itemOf)} />
              </Card>
            </Section>
          ))}
          {setup.domains.map(plan => (
            <DomainPlan key={plan.domain} {...plan} />
          ))}
        </>
      )}
    </Loaded>
  </Page>
)
