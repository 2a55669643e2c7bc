import { Button } from '@mantine/core'
import { IconRadar } from '@tabler/icons-react'
import { Link } from 'react-router'
import { counted } from '#web/kit/counted.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Status, type Tone } from '#web/kit/Status.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { When } from '#web/kit/When.tsx'
import { type Decision, REASONS, type SecurityDetection } from '../contract.ts'
import classes from './Blocks.module.css'
import { DecisionDrawer } from './DecisionDrawer.tsx'
import { securityTabs } from './tabs.ts'
import { useDetection } from './use-blocks.ts'
import { OUTCOME_WORDS, REASON_WORDS } from './words.ts'

type Watched = SecurityDetection['watched'][number]

const MODE_WORDS: Record<SecurityDetection['mode'], { tone: Tone; word: string }> = {
  off: { tone: 'idle', word: 'Off' },
  watch: { tone: 'warning', word: 'Only watches' },
  block: { tone: 'good', word: 'Blocks attackers' },
}

const decisionColumns = (now: number): readonly Column<Decision>[] => [
  {
    id: 'address',
    title: 'Address',
    cell: ({ id, address, reason }) => (
      <>
        <RowLink to={`?decision=${id}`}>{address}</RowLink>
        <CellNote>{REASON_WORDS[reason]}</CellNote>
      </>
    ),
  },
  { id: 'outcome', title: 'Decision', width: '9rem', cell: ({ outcome }) => <Status {...OUTCOME_WORDS[outcome]} /> },
  { id: 'why', title: 'Why', wide: true, cell: ({ why }) => why },
  { id: 'at', title: 'When', width: '8rem', wide: true, cell: ({ at }) => <When at={at} now={now} /> },
]

const countsText = ({ counts }: Watched): string =>
  REASONS.filter(reason => counts[reason] > 0)
    .map(reason => `${REASON_WORDS[reason]}: ${counts[reason]}`)
    .join(', ')

const watchedColumns = (now: number): readonly Column<Watched>[] => [
  { id: 'watched', title: 'Address', cell: ({ address }) => address },
  { id: 'counts', title: 'Requests', cell: countsText },
  { id: 'sites', title: 'Sites', wide: true, cell: ({ sites }) => sites.join(', ') },
  { id: 'seen', title: 'Last seen', width: '8rem', cell: ({ lastSeenAt }) => <When at={lastSeenAt} now={now} /> },
]

const Decisions = ({ detection, now }: { detection: SecurityDetection; now: number }) => (
  <Section title="Decisions" about="Including why an address was not blocked.">
    <Table
      label="Decisions"
      rows={detection.decisions}
      columns={decisionColumns(now)}
      idOf={({ id }) => id}
      empty={
        <Empty icon={IconRadar} title="No decisions yet">
          {detection.mode === 'off'
            ? 'Detection is off. Turn it on in Settings to find attackers in the logs of every server.'
            : 'Decisions appear here as soon as an address does too much.'}
        </Empty>
      }
    />
  </Section>
)

const Suspects = ({ detection, now }: { detection: SecurityDetection; now: number }) => (
  <Section
    title="Watched now"
    about={`${counted(detection.watchedTotal, 'visitor')} with suspicious requests in the last ${detection.windowMinutes} min.`}
  >
    <Table
      label="Watched addresses"
      rows={detection.watched}
      columns={watchedColumns(now)}
      idOf={({ address }) => address}
      empty={
        <Empty icon={IconRadar} title="Nothing suspicious">
          Addresses with failed logins or refused requests appear here.
        </Empty>
      }
    />
  </Section>
)

/** What detection sees and decides. */
export const DetectionPage = () => {
  const url = useUrlState()
  const query = useDetection()
  const open = query.data?.decisions.find(({ id }) => id === url.of('decision'))
  return (
    <Page
      title="Detection"
      status={query.data && <Status {...MODE_WORDS[query.data.mode]} />}
      about="Finds attackers in the logs of every server, and blocks them on all of them."
      tabs={securityTabs}
      actions={
        <Button component={Link} to="/settings#detection" size="xs" variant="default">
          Settings
        </Button>
      }
    >
      <Loaded query={query}>
        {detection => (
          <div className={classes.stack}>
            <Decisions detection={detection} now={query.dataUpdatedAt} />
            <Suspects detection={detection} now={query.dataUpdatedAt} />
          </div>
        )}
      </Loaded>
      {open && <DecisionDrawer decision={open} now={query.dataUpdatedAt} onClose={() => url.push({ decision: '' })} />}
    </Page>
  )
}
