import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Admin } from '#features/admins/contract.ts'
import { api } from '#web/api.ts'
import { showToast } from '#web/ui/toasts.ts'
import classes from './AdminDrawer.module.css'
import { PasswordConfirmButton } from './PasswordConfirmButton.tsx'

const Act = ({ title, about, children }: { title: string; about: string; children: ReactNode }) => (
  <li className={classes.act}>
    <div className={classes.words}>
      <div className={classes.title}>{title}</div>
      <div className={classes.about}>{about}</div>
    </div>
    {children}
  </li>
)

/** Does it, brings the list up to date and says so. */
const useDone = () => {
  const queryClient = useQueryClient()
  return async (asked: Promise<unknown>, text: string) => {
    await asked
    await queryClient.invalidateQueries({ queryKey: ['admins'] })
    showToast({ tone: 'good', text })
  }
}

const LockOut = ({ admin: { id, name, disabled } }: { admin: Admin }) => {
  const done = useDone()
  const set = (isLocked: boolean, text: string) => (password: string) =>
    done(api.adminUpdate({ params: { id }, body: { disabled: isLocked, password } }), text)
  return disabled ? (
    <Act title="Let in again" about="They can sign in with the password they had.">
      <PasswordConfirmButton
        label="Let in"
        title={`Let ${name} in again?`}
        verb="Let in"
        effects={['They can sign in at once, with their old password and second factor.']}
        act={set(false, `${name} can sign in again.`)}
      />
    </Act>
  ) : (
    <Act title="Lock out" about="They cannot sign in until somebody lets them in again.">
      <PasswordConfirmButton
        label="Lock out"
        title={`Lock ${name} out?`}
        verb="Lock out"
        effects={[
          'All of their browsers are signed out at once.',
          'They can neither sign in nor ask for a new password.',
          'Jobs they started go on. API keys they made keep working: revoke those you do not trust.',
          'You can let them in again at any time.',
        ]}
        act={set(true, `${name} is locked out.`)}
      />
    </Act>
  )
}

const ResetSecondFactor = ({ admin: { id, name } }: { admin: Admin }) => {
  const done = useDone()
  return (
    <Act title="Reset the second factor" about="For somebody who lost their phone and their recovery codes.">
      <PasswordConfirmButton
        label="Reset"
        title={`Reset the second factor of ${name}?`}
        verb="Reset it"
        effects={[
          'They sign in with their password alone until they set up a new one.',
          'Their recovery codes stop working, and all of their browsers are signed out.',
          'Make sure that it is really them who asked.',
        ]}
        act={password =>
          done(api.adminResetTotp({ params: { id }, body: { password } }), `${name} signs in without a code now.`)
        }
      />
    </Act>
  )
}

const InviteAgain = ({ admin: { name, email } }: { admin: Admin }) => {
  const done = useDone()
  return (
    <Act title="Send the invitation again" about="They have not chosen a password yet.">
      <PasswordConfirmButton
        label="Send again"
        title={`Invite ${name} again?`}
        verb="Send the invitation"
        effects={[`A new link goes to ${email} and works for seven days.`, 'The link from before stops working.']}
        act={password => done(api.adminInvite({ body: { name, email, password } }), `${name} gets a new link.`)}
      />
    </Act>
  )
}

const Remove = ({ admin: { id, name }, onRemoved }: { admin: Admin; onRemoved: () => void }) => {
  const done = useDone()
  const remove = async (password: string) => {
    await done(api.adminDelete({ params: { id }, body: { password } }), `${name} is removed.`)
    onRemoved()
  }
  return (
    <Act title="Remove" about="Their account is deleted. They can be invited anew.">
      <PasswordConfirmButton
        label="Remove"
        color="red"
        variant="light"
        title={`Remove ${name}?`}
        verb="Remove"
        name={name}
        effects={[
          'Their account, their second factor and their preferences are deleted.',
          'All of their browsers are signed out at once.',
          'Jobs they started go on. API keys they made keep working.',
        ]}
        act={remove}
      />
    </Act>
  )
}

/** What can be done about another person. */
export const AdminActs = ({ admin, onRemoved }: { admin: Admin; onRemoved: () => void }) => (
  <ul className={classes.acts}>
    {admin.invited && <InviteAgain admin={admin} />}
    {!admin.owner && <LockOut admin={admin} />}
    {admin.totp && <ResetSecondFactor admin={admin} />}
    {!admin.owner && <Remove admin={admin} onRemoved={onRemoved} />}
  </ul>
)
