import { IconMail } from '@tabler/icons-react'
import { Chart, ChartSkeleton } from '#web/kit/Chart.tsx'
import { Choice } from '#web/kit/Choice.tsx'
import { counted, countText } from '#web/kit/counted.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Section } from '#web/kit/Section.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import { useUrlState } from '#web/kit/use-url-state.ts'
import classes from './Mail.module.css'
import { Relays } from './Relays.tsx'
import { useMailStats } from './use-mail.ts'
import { TABS } from './words.ts'

type Stats = NonNullable<ReturnType<typeof useMailStats>['data']>
type SiteVolume = Stats['sites'][number]

const SPANS = [
  { value: '24', word: '1 day' },
  { value: '168', word: '7 days' },
  { value: '720', word: '30 days' },
] as const

const Traffic = ({ hours }: Stats) => {
  const of = (...statuses: string[]) =>
    hours.map(({ counts }) => statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0))
  return (
    <Chart
      title="Messages"
      times={hours.map(({ at }) => at)}
      format={countText}
      counts
      series={[
        { label: 'Delivered', tone: 'second', values: of('sent') },
        { label: 'Waiting', tone: 'first', values: of('queued', 'deferred') },
        { label: 'Bounced or refused', tone: 'bad', values: of('bounced', 'refused') },
      ]}
    />
  )
}

const COLUMNS: readonly Column<SiteVolume>[] = [
  {
    id: 'site',
    title: 'Site',
    cell: ({ siteSlug }) =>
      siteSlug === null ? (
        'Test messages and bounces'
      ) : (
        <RowLink to={`/mail/messages?siteSlug=${siteSlug}`}>{siteSlug}</RowLink>
      ),
  },
  {
    id: 'messages',
    title: 'Messages',
    width: '10rem',
    align: 'end',
    cell: ({ messages, failed }) => (
      <>
        {countText(messages)}
        {failed > 0 && <CellNote>{counted(failed, 'failure')}</CellNote>}
      </>
    ),
  },
]

const NoMail = (
  <Empty icon={IconMail} title="No messages in this period">
    Everything that sites send appears here.
  </Empty>
)

/** What sites send, and the relays that send it. */
export const MailPage = () => {
  const url = useUrlState()
  const span = SPANS.find(({ value }) => value === url.of('hours')) ?? SPANS[0]
  const stats = useMailStats(Number(span.value))
  return (
    <Page title="Mail" about="What sites send. Every server delivers the mail of its sites." tabs={TABS}>
      <div className={classes.head}>
        <Choice
          label="Period"
          options={SPANS}
          value={span.value}
          onChange={hours => url.set({ hours: hours === SPANS[0].value ? '' : hours })}
        />
      </div>
      <Loaded query={stats} skeleton={<ChartSkeleton />}>
        {data => (
          <>
            <Traffic {...data} />
            <Section title="Sites">
              <Table
                label="Sites"
                rows={data.sites}
                columns={COLUMNS}
                idOf={({ siteSlug }) => siteSlug ?? ''}
                empty={NoMail}
              />
            </Section>
            <Section title="Servers">
              <Relays />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}
