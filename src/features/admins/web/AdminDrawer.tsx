import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { Admin } from '#features/admins/contract.ts'
import { useSession } from '#web/session.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Facts } from '#web/ui/Facts.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Status } from '#web/ui/Status.tsx'
import { When } from '#web/ui/When.tsx'
import { AdminActs } from './AdminActs.tsx'
import classes from './AdminDrawer.module.css'
import { RenameAdmin } from './RenameAdmin.tsx'
import { adminStatus, secondFactorStatus } from './status.ts'
import { useAdmins } from './use-admins.ts'

interface AdminViewProps {
  admin: Admin
  now: number
  onRemoved: () => void
}

const AdminView = ({ admin, now, onRemoved }: AdminViewProps) => {
  const { data: session } = useSession()
  const isOwn = session?.admin.id === admin.id
  const mayChange = !admin.owner || session?.admin.owner === true
  return (
    <div className={classes.view}>
      <Facts
        facts={[
          ['Status', <Status key="status" {...adminStatus(admin)} />],
          ['E-mail', admin.email],
          ['Second factor', <Status key="totp" {...secondFactorStatus(admin)} />],
          ['Last sign-in', admin.lastLoginAt === null ? 'Never' : <When key="seen" at={admin.lastLoginAt} now={now} />],
          ['Added', <When key="added" at={admin.createdAt} now={now} />],
        ]}
      />
      {isOwn && (
        <p className={classes.note}>
          This is you. Password, address, second factor and sessions are in{' '}
          <Anchor component={Link} to="/settings/account" inherit underline="always">
            your account
          </Anchor>
          .
        </p>
      )}
      {!isOwn && mayChange && <RenameAdmin key={admin.name} admin={admin} />}
      {!isOwn && mayChange && <AdminActs admin={admin} onRemoved={onRemoved} />}
      {!mayChange && <p className={classes.note}>The owner. Nobody else can change, lock out or remove them.</p>}
    </div>
  )
}

/** One person beside the list, and what can be done about them. */
export const AdminDrawer = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const query = useAdmins()
  const found = query.data?.items.find(admin => admin.id === id)
  return (
    <Dialog kind="side" title={found?.name ?? 'Admin'} onClose={onClose}>
      <Loaded query={query}>
        {() =>
          found ? (
            <AdminView admin={found} now={query.dataUpdatedAt} onRemoved={onClose} />
          ) : (
            <p>There is no such person, or they were removed.</p>
          )
        }
      </Loaded>
    </Dialog>
  )
}
