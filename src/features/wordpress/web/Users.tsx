import { IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { CopyField } from '#web/kit/CopyButton.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { CellNote, type Column, Table } from '#web/kit/Table.tsx'
import type { WordpressUserAccount } from '../inventory/contract.ts'
import { api } from './api.ts'
import { wordpressActions } from './can.ts'

interface NewPassword {
  user: string
  newPassword: string
}

const ResetPassword = ({
  slug,
  login,
  onReset,
}: {
  slug: string
  login: string
  onReset: (made: NewPassword) => void
}) => (
  <ConfirmButton
    label="Reset password"
    ask={`reset-${login}`}
    title={`Reset the password of ${login}?`}
    verb="Reset password"
    effects={['The old password stops working.', 'The user is signed out everywhere.']}
    act={async () => onReset(await api.wpResetPassword({ params: { slug }, body: { user: login } }))}
  />
)

const columnsFor = (slug: string, onReset: (made: NewPassword) => void): readonly Column<WordpressUserAccount>[] => [
  {
    id: 'login',
    title: 'User',
    sort: ({ login }) => login,
    cell: ({ login, email }) => (
      <>
        {login}
        <CellNote>{email}</CellNote>
      </>
    ),
  },
  { id: 'roles', title: 'Role', width: '10rem', wide: true, cell: ({ roles }) => roles.join(', ') || '–' },
  {
    id: 'reset',
    title: 'Password',
    width: '11rem',
    cell: ({ login }) => <ResetPassword {...{ slug, login, onReset }} />,
  },
]

/** The accounts of a running site. */
export const Users = ({ site: { slug, ...site } }: { site: Site }) => {
  const verdict = useCan(wordpressActions)('wpUsers', { slug, ...site })
  const [made, setMade] = useState<NewPassword>()
  const query = useQuery({
    queryKey: ['sites', 'wordpress-users', slug],
    queryFn: () => api.wpUsers({ params: { slug }, query: {} }),
    enabled: verdict.isAllowed,
  })
  if (!verdict.isAllowed) return null
  return (
    <Section title="Users">
      <Loaded query={query} skeleton={<Skeleton rows={1} height="6rem" />}>
        {({ items }) => (
          <Table
            label="Users"
            rows={items}
            columns={columnsFor(slug, setMade)}
            idOf={({ id }) => String(id)}
            nameOf={({ login }) => login}
            empty={
              <Empty icon={IconUsers} title="No users">
                This site has no accounts.
              </Empty>
            }
          />
        )}
      </Loaded>
      {made && (
        <Dialog title={`New password of ${made.user}`} onClose={() => setMade(undefined)}>
          <p>Save this password now. It isn't shown again.</p>
          <CopyField label="Password" value={made.newPassword} />
        </Dialog>
      )}
    </Section>
  )
}
