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

type Session = z.infer<typeof SessionRecord>

const queryKey = ['sessions']

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
    id: 'seen',
    title: 'Last seen',
    width: '9rem',
    cell: ({ current, lastSeenAt }) =>
      current ? <Status tone="good" word="This browser" /> : <When at={lastSeenAt} now={now} />,
  },
  {
    id: 'since',
    title: 'Signed in',
    width: '8rem',
    wide: true,
    cell: ({ createdAt }) => <When at={createdAt} now={now} />,
  },
]

const EndOthers = ({ count }: { count: number }) => {
  const queryClient = useQueryClient()
  const end = async () => {
    const { ended } = await api.logoutOthers()
    await queryClient.invalidateQueries({ queryKey })
    showToast({ tone: 'good', text: ended === 1 ? '1 browser was signed out.' : `${ended} browsers were signed out.` })
  }
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
      act={end}
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
