import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from 'react-router'
import type { z } from 'zod'
import { JobsTable } from '#features/jobs/web/index.ts'
import { useCan } from '#web/client/can.ts'
import { useServerNames } from '#web/client/servers.ts'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { Card } from '#web/kit/Card.tsx'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { Facts } from '#web/kit/Facts.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Status } from '#web/kit/Status.tsx'
import { minuteTime } from '#web/kit/time.ts'
import { useTimeZone } from '#web/kit/time-zone.ts'
import { showToast } from '#web/kit/toasts.ts'
import type { schedules } from '../contract.ts'
import { api } from './api.ts'
import { scheduleActions } from './can.ts'
import classes from './SchedulePage.module.css'
import { useSchedule } from './use-schedules.ts'
import { outcomeOf, planInWords, targetsInWords } from './words.ts'

type Details = z.output<(typeof schedules)['scheduleGet']['reply']>

const Acts = ({ schedule }: { schedule: Details }) => {
  const { id, name, enabled } = schedule
  const can = useCan(scheduleActions)
  const follow = useFollowJob()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const params = { id }
  const toggle = async () => {
    await api.scheduleUpdate({ params, body: { enabled: !enabled } })
    await queryClient.invalidateQueries({ queryKey: ['schedules'] })
    showToast({ tone: 'good', text: enabled ? `${name} disabled.` : `${name} enabled.` })
  }
  const remove = async () => {
    await api.scheduleDelete({ params })
    await navigate('/schedules')
    await queryClient.invalidateQueries({ queryKey: ['schedules'] })
    showToast({ tone: 'good', text: `${name} deleted.` })
  }
  return (
    <>
      {can('scheduleRun').isOffered && (
        <ConfirmButton
          label="Run now"
          ask="run"
          title={`Run ${name} now?`}
          verb="Run now"
          effects={['It starts at once. The next planned run stays as it is.']}
          act={() => follow(api.scheduleRun({ params }))}
        />
      )}
      {can('scheduleUpdate').isOffered && (
        <>
          <Button variant="default" size="xs" onClick={() => void toggle()}>
            {enabled ? 'Disable' : 'Enable'}
          </Button>
          <Button component={Link} to={`/schedules/${id}/edit`} variant="default" size="xs">
            Edit
          </Button>
        </>
      )}
      {can('scheduleDelete', schedule).isOffered && (
        <ConfirmButton
          label="Delete"
          ask="delete"
          title={`Delete ${name}?`}
          verb="Delete schedule"
          effects={['It no longer runs. Its jobs stay in the history.']}
          act={remove}
        />
      )}
    </>
  )
}

const LastRun = ({ schedule: { lastRun } }: { schedule: Details }) =>
  lastRun && (lastRun.skipped.length > 0 || lastRun.waiting.length > 0) ? (
    <Section title="Sites left out of the last run">
      <Card>
        <ul className={classes.list}>
          {lastRun.waiting.map(site => (
            <li key={site}>{site} is busy with another job. It is tried again for an hour.</li>
          ))}
          {lastRun.skipped.map(({ siteSlug, reason }) => (
            <li key={siteSlug}>{reason}</li>
          ))}
        </ul>
      </Card>
    </Section>
  ) : null

const Overview = ({ schedule, now }: { schedule: Details; now: number }) => {
  const timeZone = useTimeZone()
  const serverName = useServerNames()
  return (
    <div className={classes.parts}>
      <Card>
        <Facts
          facts={[
            ['Does', schedule.actionLabel],
            ['Runs', planInWords(schedule)],
            ['Targets', targetsInWords(schedule.targets, serverName)],
            ['Last run', <Status key="last" {...outcomeOf(schedule)} />],
          ]}
        />
      </Card>
      <Section title="Next runs" about="In your time zone.">
        <Card>
          {schedule.nextRuns.length === 0 ? (
            'None: this schedule is disabled.'
          ) : (
            <ul className={classes.list}>
              {schedule.nextRuns.map(at => (
                <li key={at}>{minuteTime(at, timeZone)}</li>
              ))}
            </ul>
          )}
        </Card>
      </Section>
      <LastRun schedule={schedule} />
      <Section title="Latest jobs">
        <JobsTable items={schedule.recentJobs} now={now} empty={<Card>It has not started any jobs yet.</Card>} />
      </Section>
    </div>
  )
}

/** One schedule: what it does, when it runs next, and how it went. */
export const SchedulePage = () => {
  const { id = '' } = useParams()
  const query = useSchedule(id)
  return (
    <Page
      title={query.data?.name ?? 'Schedule'}
      back={{ label: 'Schedules', to: '/schedules' }}
      actions={query.data && <Acts schedule={query.data} />}
    >
      <Loaded query={query}>{schedule => <Overview schedule={schedule} now={query.dataUpdatedAt} />}</Loaded>
    </Page>
  )
}
