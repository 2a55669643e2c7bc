import { Button } from '@mantine/core'
import { IconCalendarTime } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useCan } from '#web/client/can.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import { clockTime, dayOnly } from '#web/kit/time.ts'
import { useTimeZone } from '#web/kit/time-zone.ts'
import { When } from '#web/kit/When.tsx'
import type { Schedule } from '../contract.ts'
import { scheduleActions } from './can.ts'
import { useSchedules } from './use-schedules.ts'
import { cronInWords, outcomeOf } from './words.ts'

const LastRun = ({ schedule, now }: { schedule: Schedule; now: number }) => (
  <>
    <Status {...outcomeOf(schedule)} />
    {schedule.lastRun && (
      <CellNote>
        <When at={schedule.lastRun.startedAt} now={now} />
      </CellNote>
    )}
  </>
)

const NextRun = ({ at, timeZone }: { at: number | null; timeZone: string | undefined }) => {
  if (at === null) return <Status tone="idle" word="Disabled" />
  return (
    <>
      {dayOnly(at, timeZone)}
      <CellNote>{clockTime(at, timeZone)}</CellNote>
    </>
  )
}

const columnsAt = (now: number, timeZone: string | undefined): readonly Column<Schedule>[] => [
  {
    id: 'name',
    title: 'Name',
    sort: ({ name }) => name,
    cell: ({ id, name, actionLabel, builtIn }) => (
      <>
        <RowLink to={`/schedules/${id}`}>{name}</RowLink>
        <CellNote>{builtIn ? 'Built in' : actionLabel}</CellNote>
      </>
    ),
  },
  {
    id: 'when',
    title: 'Runs',
    width: '20rem',
    wide: true,
    cell: ({ cron, timezone }) => (
      <>
        {cronInWords(cron)}
        <CellNote>{timezone}</CellNote>
      </>
    ),
  },
  {
    id: 'next',
    title: 'Next run',
    width: '9rem',
    sort: ({ nextRunAt }) => nextRunAt ?? Number.MAX_SAFE_INTEGER,
    cell: ({ nextRunAt: at }) => <NextRun {...{ at, timeZone }} />,
  },
  {
    id: 'last',
    title: 'Last run',
    width: '10rem',
    wide: true,
    sort: ({ lastRun }) => lastRun?.startedAt ?? 0,
    cell: schedule => <LastRun schedule={schedule} now={now} />,
  },
]

const Create = () => (
  <Button component={Link} to="/schedules/new" size="sm">
    Create schedule
  </Button>
)

/** What the panel does by itself, and when. */
export const SchedulesPage = () => {
  const query = useSchedules()
  const timeZone = useTimeZone()
  const { isOffered } = useCan(scheduleActions)('scheduleCreate')
  return (
    <Page
      title="Schedules"
      about="Work the panel does on its own. Next runs are shown in your time zone."
      actions={isOffered && <Create />}
    >
      <Loaded query={query}>
        {({ items }) => (
          <Table
            label="Schedules"
            rows={items}
            columns={columnsAt(query.dataUpdatedAt, timeZone)}
            idOf={({ id }) => id}
            empty={
              <Empty icon={IconCalendarTime} title="No schedules yet">
                Create one to restart, start or stop sites at a set time.
              </Empty>
            }
          />
        )}
      </Loaded>
    </Page>
  )
}
