import { Button } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import type { Admin } from '#features/admins/contract.ts'
import { useRegistry } from '#web/client/registry.ts'
import { useSession } from '#web/client/session.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { When } from '#web/kit/When.tsx'
import { AdminDrawer } from './AdminDrawer.tsx'
import { InviteDialog } from './InviteDialog.tsx'
import { adminStatus, secondFactorStatus } from './status.ts'
import { useAdmins } from './use-admins.ts'

const roleOf = ({ id, owner }: Admin, ownId: string | undefined) =>
  [owner ? 'owner' : '', id === ownId ? 'you' : ''].filter(Boolean).join(', ')

const columnsFor = (now: number, ownId: string | undefined): readonly Column<Admin>[] => [
  {
    id: 'name',
    title: 'Name',
    sort: ({ name }) => name,
    cell: admin => {
      const role = roleOf(admin, ownId)
      return (
        <>
          <RowLink to={`?admin=${admin.id}`}>{role === '' ? admin.name : `${admin.name} (${role})`}</RowLink>
          <CellNote>{admin.email}</CellNote>
        </>
      )
    },
  },
  { id: 'status', title: 'Status', width: '8rem', cell: admin => <Status {...adminStatus(admin)} /> },
  {
    id: 'totp',
    title: 'Second factor',
    width: '9rem',
    wide: true,
    cell: admin => <Status {...secondFactorStatus(admin)} />,
  },
  {
    id: 'seen',
    title: 'Last sign-in',
    width: '8rem',
    wide: true,
    sort: ({ lastLoginAt }) => lastLoginAt ?? 0,
    cell: ({ lastLoginAt }) => (lastLoginAt === null ? 'Never' : <When at={lastLoginAt} now={now} />),
  },
]

/** The people who may sign in. */
export const AdminsPage = () => {
  const query = useAdmins()
  const { data: session } = useSession()
  const url = useUrlState()
  const opened = url.of('admin')
  return (
    <Page
      title="Admins"
      about="People who can sign in. Everyone has full access; only the owner can change the owner."
      actions={
        <Button size="sm" onClick={() => url.push({ invite: '1' })}>
          Invite admin
        </Button>
      }
      tabs={useRegistry().settingsTabs}
    >
      <Loaded query={query}>
        {({ items }) => (
          <Table
            label="Admins"
            rows={items}
            columns={columnsFor(query.dataUpdatedAt, session?.admin.id)}
            idOf={({ id }) => id}
            empty={
              <Empty icon={IconUsers} title="No admins">
                The owner is missing. Run `./fleetpress admin reset` on the server.
              </Empty>
            }
          />
        )}
      </Loaded>
      {opened !== '' && <AdminDrawer key={opened} id={opened} onClose={() => url.push({ admin: '' })} />}
      {url.of('invite') !== '' && <InviteDialog onClose={() => url.push({ invite: '' })} />}
    </Page>
  )
}
