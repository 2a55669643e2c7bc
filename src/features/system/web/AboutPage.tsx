import { Button } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCan } from '#web/client/can.ts'
import { useRegistry } from '#web/client/registry.ts'
import { bytesText } from '#web/kit/bytes.ts'
import { Card } from '#web/kit/Card.tsx'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { Facts } from '#web/kit/Facts.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { toProblem } from '#web/kit/problem.ts'
import { Section } from '#web/kit/Section.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { When } from '#web/kit/When.tsx'
import { AfterUpdate } from './AfterUpdate.tsx'
import { api } from './api.ts'
import { updateActions } from './can.ts'
import { Releases, WhatIsNew } from './Releases.tsx'
import { UpdateSteps } from './UpdateSteps.tsx'
import { UPDATES_KEY, type Updates, useUpdates } from './use-updates.ts'

const KINDS = { release: 'Release', checkout: 'Git checkout', copy: 'Copy of the files' } as const
const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const

/** Asked again once another version answers. */
const useInstall = (current: string | undefined) =>
  useQuery({
    queryKey: ['system', 'install', current],
    queryFn: () => api.systemGet(),
    placeholderData: keepPreviousData,
  })

const ThisInstall = ({ query }: { query: ReturnType<typeof useInstall> }) => (
  <Section title="This install">
    <Loaded query={query} skeleton={<Skeleton rows={1} height="8rem" />}>
      {({ version, node, install, database, disk, startedAt }) => (
        <Card>
          <Facts
            facts={[
              ['Version', version],
              ['Kind', KINDS[install.kind]],
              ['Folder', install.folder && <code key="folder">{install.folder}</code>],
              ['Database', `${ENGINES[database.engine]}, ${bytesText(database.sizeBytes)}`],
              ['Disk', `${bytesText(disk.freeBytes)} free of ${bytesText(disk.totalBytes)}`],
              ['Node.js', node],
              ['Running since', <When key="since" at={startedAt} now={query.dataUpdatedAt} />],
            ]}
          />
        </Card>
      )}
    </Loaded>
  </Section>
)

const UpdateButton = ({ updates }: { updates: Updates }) => {
  const queries = useQueryClient()
  const updating = useCan(updateActions)('systemUpdate', updates)
  if (!updating.isOffered || !updates.available) return null
  const { version } = updates.available
  return (
    <ConfirmButton
      label={`Update to ${version}`}
      ask="update"
      variant="filled"
      refusal={updating.reason}
      title={`Update the panel to ${version}?`}
      verb="Update the panel"
      effects={[
        "The panel refuses changes for about two minutes and doesn't respond for some seconds. Sites keep running.",
        'The new version is tried with a copy of the database first.',
        `If it fails, version ${updates.current} comes back by itself, with its data.`,
      ]}
      act={async () => {
        await api.systemUpdate({ body: { version } })
        await queries.invalidateQueries({ queryKey: UPDATES_KEY })
      }}
    />
  )
}

const newestWords = ({ current, available, problem, checkedAt }: Updates): string => {
  if (problem !== null) return problem
  if (checkedAt === null) return 'No check for updates yet.'
  return available ? `Version ${available.version} is available.` : `Version ${current} is the newest that is known.`
}

const UpdatesSection = ({ updates, now }: { updates: Updates; now: number }) => {
  const queries = useQueryClient()
  const checking = useCan(updateActions)('systemUpdateCheck')
  const check = useMutation({
    mutationFn: () => api.systemUpdateCheck(),
    onSettled: () => queries.invalidateQueries({ queryKey: ['system'] }),
  })
  return (
    <Section
      title="Updates"
      about={
        <>
          {newestWords(updates)}{' '}
          {updates.checkedAt !== null && (
            <>
              Checked <When at={updates.checkedAt} now={now} />.
            </>
          )}
        </>
      }
      actions={
        <>
          {checking.isOffered && (
            <Button variant="default" size="xs" loading={check.isPending} onClick={() => check.mutate()}>
              Check for updates
            </Button>
          )}
          <UpdateButton updates={updates} />
        </>
      }
    >
      <FormError problem={check.error ? toProblem(check.error) : undefined} />
    </Section>
  )
}

/** The update that runs or was the last. A page that was opened before it still has the old version's screens. */
const LastUpdate = ({ updates, now }: { updates: Updates; now: number }) => {
  const [opened] = useState(updates.current)
  const { update, current } = updates
  if (!update) return null
  return (
    <>
      <UpdateSteps
        update={update}
        now={now}
        action={
          opened !== current && (
            <Button size="xs" onClick={() => window.location.reload()}>
              Reload to use {current}
            </Button>
          )
        }
      />
      {update.status === 'succeeded' && <WhatIsNew from={update.from} to={update.to} />}
    </>
  )
}

/** Version, database and disk of the panel itself; then its updates, which the former would push down. */
export const AboutPage = () => {
  const query = useUpdates()
  const install = useInstall(query.data?.current)
  return (
    <Page title="About this install" tabs={useRegistry().settingsTabs}>
      <ThisInstall query={install} />
      {!install.isPending && (
        <Loaded query={query} skeleton={<Skeleton rows={2} height="6rem" />}>
          {updates => (
            <>
              <UpdatesSection updates={updates} now={query.dataUpdatedAt} />
              <LastUpdate updates={updates} now={query.dataUpdatedAt} />
              <AfterUpdate />
              <Releases />
            </>
          )}
        </Loaded>
      )}
    </Page>
  )
}
