import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { Admin } from '#features/admins/contract.ts'
import { useSession } from '#web/client/session.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Facts } from '#web/kit/Facts.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Status } from '#web/kit/Status.tsx'
import { When } from '#web/kit/When.tsx'
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
          ['Email', admin.email],
          ['Second factor', <Status key="totp" {...secondFactorStatus(admin)} />],
          ['Last sign-in', admin.lastLoginAt === null ? 'Never' : <When key="seen" at={admin.lastLoginAt} now={now} />],
          ['Added', <When key="added" at={admin.createdAt} now={now} />],
        ]}
      />
      {isOwn && (
        <p className={classes.note}>
          This is you. Change your password, email, second factor and sessions in{' '}
          <Anchor component={Link} to="/settings/account" inherit underline="always">
            your account
          </Anchor>
          .
        </p>
      )}
      {!isOwn && mayChange && <RenameAdmin key={admin.name} admin={admin} />}
      {!isOwn && mayChange && <AdminActs admin={admin} onRemoved={onRemoved} />}
      {!mayChange && <p className={classes.note}>The owner. No one else can change, lock or remove them.</p>}
    </div>
  )
}

/** One person next to the list, and what can be done about them. */
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
            <p>This admin doesn't exist or was removed.</p>
          )
        }
      </Loaded>
    </Dialog>
  )
}
