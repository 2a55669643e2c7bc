import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { SessionRecord } from '#features/admins/contract.ts'
import { login } from '#features/login/contract.ts'
import { clientOf } from '#web/client/api.ts'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, Table } from '#web/kit/Table.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { When } from '#web/kit/When.tsx'
import { api } from './api.ts'
import { deviceOf } from './device.ts'
import classes from './Sessions.module.css'

type Session = z.infer<typeof SessionRecord>

const queryKey = ['sessions']

const useEnd = () => {
  const queryClient = useQueryClient()
  return async (body: { id?: string }) => {
    const { ended } = await clientOf(login).logoutOthers({ body })
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
      title={`Sign out ${deviceOf(userAgent)}?`}
      verb="Sign out"
      effects={['That browser has to sign in again.', "If you don't recognize it, change your password too."]}
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
      verb={count === 1 ? 'Sign out 1 browser' : `Sign out ${count} browsers`}
      effects={[
        'All other browsers in this list have to sign in again.',
        "If you don't recognize one of them, change your password too.",
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
      about="Browsers are signed out after seven days without use."
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
