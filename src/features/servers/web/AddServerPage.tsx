import { useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import type { Server } from '#features/servers/contract.ts'
import type { Job } from '#platform/contract/job.ts'
import { Card } from '#web/kit/Card.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Section } from '#web/kit/Section.tsx'
import classes from './AddServerPage.module.css'
import { AuthorizeKey } from './AuthorizeKey.tsx'
import { type CheckItem, CheckList } from './CheckList.tsx'
import { NewServerForm } from './NewServerForm.tsx'
import { SetupJob } from './SetupJob.tsx'

/** What is looked at on a machine before anything is changed there. */
const AHEAD: readonly CheckItem[] = [
  { name: 'connection', title: 'The panel can sign in as root', state: 'waiting' },
  { name: 'system', title: 'Debian 12 or 13 on a 64-bit processor', state: 'waiting' },
  { name: 'memory', title: 'At least 1 GiB of memory', state: 'waiting' },
  { name: 'disk', title: 'At least 5 GiB free', state: 'waiting' },
]

const begun = AHEAD.map((item, index): CheckItem => (index === 0 ? { ...item, state: 'running' } : item))

/** What was not reached because an earlier check failed stays in sight. */
const filled = (checks: readonly CheckItem[]): CheckItem[] => [
  ...checks,
  ...AHEAD.filter(({ name }) => !checks.some(check => check.name === name)),
]

interface Made {
  server: Server
  job: Job | null
}

/** The key to authorize, the form, what is found on the machine, and its setup as it goes: one screen from start to end. */
export const AddServerPage = () => {
  const [checks, setChecks] = useState(AHEAD)
  const [made, setMade] = useState<Made>()
  const [, setSearch] = useSearchParams()
  const isLeft = useLeftServer(made)
  if (isLeft !== undefined) return <Navigate to={`/servers/${isLeft}`} replace />
  const keep = (next: Made) => {
    setMade(next)
    setSearch({ server: String(next.server.id) }, { replace: true })
  }
  return (
    <Page
      title={made ? made.server.name : 'Add server'}
      back={{ label: 'Servers', to: '/servers' }}
      about={made ? 'The panel is setting it up. You can leave this page.' : 'A blank machine with Debian 12 or 13.'}
    >
      <div className={classes.columns}>
        <div className={classes.main}>
          {made ? (
            <SetupJob server={made.server} jobId={made.job?.id} />
          ) : (
            <>
              <AuthorizeKey />
              <NewServerForm
                onBegin={() => setChecks(begun)}
                onChecked={items => setChecks(items.length > 0 ? filled(items) : AHEAD)}
                onMade={keep}
              />
            </>
          )}
        </div>
        <div className={classes.side}>
          <Section title="Checks" about="Checks the machine. Changes nothing.">
            <Card>
              <div aria-live="polite">
                <CheckList items={checks} />
              </div>
            </Card>
          </Section>
        </div>
      </div>
    </Page>
  )
}

/** The address names the server that was made, so that coming back to it points there and adds no second one. */
const useLeftServer = (made: Made | undefined): string | undefined => {
  const [search] = useSearchParams()
  const id = search.get('server')
  return made === undefined && id !== null && /^\d+$/.test(id) ? id : undefined
}
