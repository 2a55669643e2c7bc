import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Admin } from '#features/admins/contract.ts'
import { showToast } from '#web/kit/toasts.ts'
import classes from './AdminDrawer.module.css'
import { api } from './api.ts'
import { InvitationLink } from './InvitationLink.tsx'
import { KeysToRevoke } from './KeysToRevoke.tsx'
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
    await Promise.all(['admins', 'keys'].map(name => queryClient.invalidateQueries({ queryKey: [name] })))
    showToast({ tone: 'good', text })
  }
}

const LockOut = ({ admin: { id, name, disabled } }: { admin: Admin }) => {
  const done = useDone()
  const [revokeKeys, setRevokeKeys] = useState<readonly string[]>([])
  const set = (isLocked: boolean, text: string) => (password: string) => {
    const chosen = isLocked ? { revokeKeys: [...revokeKeys] } : {}
    return done(api.adminUpdate({ params: { id }, body: { disabled: isLocked, password, ...chosen } }), text)
  }
  // Two keys: the question that was answered closes, rather than turning into its opposite.
  return disabled ? (
    <Act key="unlock" title="Unlock" about="They can sign in with their previous password.">
      <PasswordConfirmButton
        label="Unlock"
        title={`Unlock ${name}?`}
        verb="Unlock"
        effects={['They can sign in right away, with their previous password and second factor.']}
        act={set(false, `${name} can sign in again.`)}
      />
    </Act>
  ) : (
    <Act key="lock" title="Lock" about="They can't sign in until someone unlocks them.">
      <PasswordConfirmButton
        label="Lock"
        title={`Lock ${name}?`}
        verb="Lock"
        effects={[
          'All their browsers are signed out immediately.',
          "They can't sign in or request a new password.",
          'AI connections they created stop until they are unlocked.',
          'Jobs they started continue.',
          'You can unlock them at any time. Revoked keys stay revoked.',
        ]}
        act={set(true, `${name} is locked.`)}
      >
        <KeysToRevoke adminId={id} chosen={revokeKeys} onChange={setRevokeKeys} />
      </PasswordConfirmButton>
    </Act>
  )
}

const ResetSecondFactor = ({ admin: { id, name } }: { admin: Admin }) => {
  const done = useDone()
  return (
    <Act title="Reset two-factor authentication" about="For someone who lost their phone and their recovery codes.">
      <PasswordConfirmButton
        label="Reset"
        title={`Reset two-factor authentication for ${name}?`}
        verb="Reset"
        effects={[
          'Their password alone is enough to sign in until they set it up again.',
          'Their recovery codes stop working, and all their browsers are signed out.',
          'Make sure the request really came from them.',
        ]}
        act={password =>
          done(api.adminResetTotp({ params: { id }, body: { password } }), `${name} can now sign in without a code.`)
        }
      />
    </Act>
  )
}

const InviteAgain = ({ admin: { name, email } }: { admin: Admin }) => {
  const done = useDone()
  const [link, setLink] = useState<string | null>(null)
  const inviteAgain = async (password: string) => {
    const invited = api.adminInvite({ body: { name, email, password } })
    await done(invited, `Invitation sent to ${name} again.`)
    setLink((await invited).link)
  }
  return (
    <Act title="Resend invitation" about="They haven't set a password yet.">
      <PasswordConfirmButton
        label="Resend"
        title={`Invite ${name} again?`}
        verb="Send invitation"
        effects={[
          `A new link is emailed to ${email}. Without a mail server, you get the link to send yourself.`,
          'The previous link stops working.',
        ]}
        act={inviteAgain}
      />
      {link !== null && <InvitationLink name={name} link={link} onClose={() => setLink(null)} />}
    </Act>
  )
}

const Remove = ({ admin: { id, name }, onRemoved }: { admin: Admin; onRemoved: () => void }) => {
  const done = useDone()
  const [revokeKeys, setRevokeKeys] = useState<readonly string[]>([])
  const remove = async (password: string) => {
    const body = { password, revokeKeys: [...revokeKeys] }
    await done(api.adminDelete({ params: { id }, body }), `${name} removed.`)
    onRemoved()
  }
  return (
    <Act title="Remove" about="Their account is deleted. They can be invited again.">
      <PasswordConfirmButton
        label="Remove"
        color="red"
        variant="light"
        title={`Remove ${name}?`}
        verb="Remove"
        name={name}
        effects={[
          'Their account, second factor and preferences are deleted.',
          'All their browsers are signed out immediately.',
          'AI connections they created stop permanently.',
          'Jobs they started continue.',
        ]}
        act={remove}
      >
        <KeysToRevoke adminId={id} chosen={revokeKeys} onChange={setRevokeKeys} />
      </PasswordConfirmButton>
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
