import { Alert, Button, NativeSelect } from '@mantine/core'
import { IconAlertTriangle, IconMailCheck } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCan } from '#web/client/can.ts'
import { useServerNames, useServers } from '#web/client/servers.ts'
import { Card } from '#web/kit/Card.tsx'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { counted } from '#web/kit/counted.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { toProblem } from '#web/kit/problem.ts'
import { Section } from '#web/kit/Section.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { api } from './api.ts'
import { mailActions } from './can.ts'
import classes from './Mail.module.css'
import { type Queued, QueueTable } from './QueueTable.tsx'
import { type Queue, useMailQueue } from './use-mail.ts'
import { TABS } from './words.ts'

const Flush = ({ serverId }: { serverId: number }) => {
  const queries = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.mailQueueFlush({ params: { serverId } }),
    onSuccess: ({ messages }) => showToast({ tone: 'good', text: `Trying ${counted(messages, 'message')} again.` }),
    onError: error => showToast({ tone: 'bad', text: toProblem(error).message }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['mail'] }),
  })
  return (
    <Button variant="default" size="xs" loading={isPending} onClick={() => mutate()}>
      Try again now
    </Button>
  )
}

const ServerQueue = ({ serverId, items, now }: { serverId: number; items: readonly Queued[]; now: number }) => {
  const name = useServerNames()(serverId)
  const can = useCan(mailActions)
  const queries = useQueryClient()
  const drop = async () => {
    await api.mailQueueDrop({ params: { serverId, queueId: 'ALL' } })
    await queries.invalidateQueries({ queryKey: ['mail'] })
  }
  return (
    <Section
      title={name}
      actions={
        <div className={classes.buttons}>
          {can('mailQueueFlush').isOffered && <Flush serverId={serverId} />}
          {can('mailQueueDrop').isOffered && (
            <ConfirmButton
              label="Drop all"
              ask={`drop-${serverId}`}
              color="red"
              title={`Drop ${counted(items.length, 'message')}?`}
              verb="Drop messages"
              effects={['These messages are never sent.', 'The sites that sent them are not told.']}
              name={name}
              act={drop}
            />
          )}
        </div>
      }
    >
      <QueueTable label={`Queue of ${name}`} {...{ items, now }} />
    </Section>
  )
}

/** Servers whose queue is unknown right now. */
const Unread = ({ problems }: Pick<Queue, 'problems'>) => {
  const serverName = useServerNames()
  return (
    <Alert
      color="orange"
      variant="light"
      p="sm"
      icon={<IconAlertTriangle aria-hidden="true" />}
      title={`Can't read the queue of ${counted(problems.length, 'server')}`}
    >
      {problems.map(({ serverId, message }) => (
        <div key={serverId}>
          <strong>{serverName(serverId)}</strong>
          <div>{message}</div>
        </div>
      ))}
    </Alert>
  )
}

const Queues = ({ queue: { items, problems }, now }: { queue: Queue; now: number }) => {
  const byServer = [...Map.groupBy(items, ({ serverId }) => serverId)]
  return (
    <>
      {problems.length > 0 && <Unread problems={problems} />}
      {byServer.map(([serverId, of]) => (
        <ServerQueue key={serverId} {...{ serverId, now }} items={of} />
      ))}
      {byServer.length === 0 && problems.length === 0 && (
        <Card flush>
          <Empty icon={IconMailCheck} title="No messages are waiting">
            What another mail server does not accept yet waits here and is tried again.
          </Empty>
        </Card>
      )}
    </>
  )
}

/** Which server is shown; all of them if none is selected. */
const ServerChoice = () => {
  const url = useUrlState()
  const servers = useServers().data?.items ?? []
  return (
    <NativeSelect
      size="xs"
      w="14rem"
      aria-label="Server"
      data={[
        { value: '', label: 'All servers' },
        ...servers.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      value={url.of('serverId')}
      onChange={event => url.set({ serverId: event.currentTarget.value })}
    />
  )
}

/** What waits on every server, or on one of them, and why. */
export const QueuePage = () => {
  const query = useMailQueue(useUrlState().of('serverId'))
  return (
    <Page
      title="Mail queue"
      about="Messages that are not delivered yet. They are tried again for three days."
      tabs={TABS}
    >
      <ServerChoice />
      <Loaded query={query} skeleton={<Skeleton rows={5} />}>
        {queue => <Queues queue={queue} now={query.dataUpdatedAt} />}
      </Loaded>
    </Page>
  )
}
