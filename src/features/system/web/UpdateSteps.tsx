import type { ReactNode } from 'react'
import { Card } from '#web/kit/Card.tsx'
import { Section } from '#web/kit/Section.tsx'
import { When } from '#web/kit/When.tsx'
import classes from './UpdateSteps.module.css'
import type { Updates } from './use-updates.ts'

type Update = NonNullable<Updates['update']>

const TITLES: Record<Update['status'], (update: Update) => string> = {
  running: ({ to }) => `Updating to ${to}`,
  succeeded: ({ to }) => `Updated to ${to}`,
  failed: ({ to }) => `The update to ${to} failed`,
  rolled_back: ({ to }) => `The update to ${to} failed`,
}

const STATES: Record<Update['steps'][number]['status'], string> = {
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
}

/** Until the old version is stopped, the panel works as usual. */
const isReplacing = ({ steps }: Update): boolean =>
  steps.some(({ id, status }) => id === 'stop' && status !== 'waiting')

const aboutOf = (update: Update): string => {
  const { status, error, from } = update
  if (status === 'running')
    return isReplacing(update)
      ? 'The panel restarts and refuses changes until it is done. This page continues by itself. Sites keep running.'
      : 'It is being prepared. You can continue to work. Sites keep running.'
  if (status === 'succeeded') return `Version ${from} is kept on this machine.`
  return `Version ${from} is still in use. ${error ?? ''}`.trim()
}

/** The update that is running, or the last one, step by step. */
export const UpdateSteps = ({ update, now, action }: { update: Update; now: number; action: ReactNode }) => (
  <Section
    title={TITLES[update.status](update)}
    actions={action}
    about={
      <>
        {aboutOf(update)}{' '}
        {update.finishedAt !== null && (
          <>
            Ended <When at={update.finishedAt} now={now} />.
          </>
        )}
      </>
    }
  >
    <Card>
      <ol className={classes.steps} aria-label="Steps of the update">
        {update.steps.map(({ id, label, status }) => (
          <li key={id} data-status={status}>
            <span>{label}</span>
            <span className={classes.state}>{STATES[status]}</span>
          </li>
        ))}
      </ol>
    </Card>
  </Section>
)
