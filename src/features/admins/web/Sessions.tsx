import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { SessionRecord } from '#features/admins/contract.ts'
import { api } from '#web/api.ts'
import { ConfirmButton } from '#web/ui/Confirm.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Section } from '#web/ui/Section.tsx'
import { Status } from '#web/ui/Status.tsx'
import { CellNote, type Column, Table } from '#web/ui/Table.tsx'
import { showToast } from '#web/ui/toasts.ts'
import { When } from '#web/ui/When.tsx'
import { deviceOf } from './device.ts'
import classes from './Sessions.module.css'

type Session = z.infer<typeof SessionRecord>

const queryKey = ['sessions']

const useEnd = () => {
  const queryClient = useQueryClient()
  return async (body: { id?: string }) => {
    const { ended } = await api.logoutOthers({ body })
    await queryClient.invalidateQueries({ queryKey })
    showToast({ tone: 'good', text: ended === 1 ? '1 browser was signed out.' : `${ended} browsers were signed out.` })
  }
}

const EndOne = ({ session: { id, userAgent } }: { session: Session }) => {
  const end = useEnd()
  return (
    <ConfirmButton
      label="Sign out"
      ask={`sign-out-${id}`}
      title={`Sign ${deviceOf(userAgent)} out?`}
      verb="Sign it out"
      effects={['It has to sign in again.', 'If you do not know it, change your password as well.']}
      act={() => end({ id })}
    />
  )
}

const columnsAt = (now: number): readonly Column<Session>[] => [
  {
    id: 'device',
    title: 'Browser',
    cell: ({ userAgent, address }) => (
      <>
        <span title={userAgent}>{deviceOf(userAgent)}</span>
        <CellNote>{address}</CellNote>
      </>
    ),
  },
  {
    id: 'since',
    title: 'Signed in',
    width: '8rem',
    wide: true,
    cell: ({ createdAt }) => <When at={createdAt} now={now} />,
  },
  {
    id: 'seen',
    title: 'Last seen',
    width: '12rem',
    cell: session =>
      session.current ? (
        <Status tone="good" word="This browser" />
      ) : (
        <div className={classes.seen}>
          <When at={session.lastSeenAt} now={now} />
          <EndOne session={session} />
        </div>
      ),
  },
]

const EndOthers = ({ count }: { count: number }) => {
  const end = useEnd()
  return (
    <ConfirmButton
      label="Sign out everywhere else"
      ask="sign-out"
      title="Sign out everywhere else?"
      verb={count === 1 ? 'Sign 1 browser out' : `Sign ${count} browsers out`}
      effects={[
        'Every browser in this list but this one has to sign in again.',
        'If you do not know one of them, change your password as well.',
      ]}
      act={() => end({})}
    />
  )
}

/** Where the person is signed in. */
export const Sessions = () => {
  const query = useQuery({ queryKey, queryFn: () => api.accountSessions() })
  const others = query.data?.items.filter(({ current }) => !current).length ?? 0
  return (
    <Section
      title="Where you are signed in"
      about="A browser that is not used for seven days is signed out by itself."
      actions={others > 0 && <EndOthers count={others} />}
    >
      <Loaded query={query}>
        {({ items }) => (
          <Table
            label="Sessions"
            rows={items}
            columns={columnsAt(query.dataUpdatedAt)}
            idOf={({ id }) => id}
            empty={null}
          />
        )}
      </Loaded>
    </Section>
  )
}
