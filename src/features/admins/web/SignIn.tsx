import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { Admin } from '#features/admins/contract.ts'
import { useRecheckSession } from '#web/client/session.ts'
import { Card } from '#web/kit/Card.tsx'
import { Status } from '#web/kit/Status.tsx'
import { showToast } from '#web/kit/toasts.ts'
import classes from './AccountPage.module.css'
import { api } from './api.ts'
import { ChangeEmail } from './ChangeEmail.tsx'
import { ChangePassword } from './ChangePassword.tsx'
import { PasswordConfirmButton } from './PasswordConfirmButton.tsx'
import { secondFactorStatus } from './status.ts'

interface WayProps {
  title: ReactNode
  about: string
  children: ReactNode
}

const Way = ({ title, about, children }: WayProps) => (
  <div className={classes.way}>
    <div className={classes.words}>
      <div className={classes.title}>{title}</div>
      <div className={classes.about}>{about}</div>
    </div>
    <div className={classes.acts}>{children}</div>
  </div>
)

const SwitchOff = () => {
  const recheckSession = useRecheckSession()
  const switchOff = async (password: string) => {
    await api.accountTotpDisable({ body: { password } })
    await recheckSession()
    showToast({ tone: 'good', text: 'Two-factor authentication is off.' })
  }
  return (
    <PasswordConfirmButton
      label="Turn off"
      title="Turn off two-factor authentication?"
      verb="Turn off"
      effects={[
        'Your password alone will be enough to sign in.',
        'Your recovery codes stop working.',
        'Your other browsers are signed out.',
      ]}
      act={switchOff}
    />
  )
}

const SecondFactor = ({ admin }: { admin: Admin }) => (
  <Way
    title={
      <>
        Two-factor authentication <Status {...secondFactorStatus(admin)} />
      </>
    }
    about="Asks for a code from your phone, so a stolen password is not enough."
  >
    <Button component={Link} to="/settings/account/second-factor" variant={admin.totp ? 'default' : 'filled'} size="xs">
      {admin.totp ? 'Replace phone' : 'Set up'}
    </Button>
    {admin.totp && (
      <Button component={Link} to="/settings/account/recovery-codes" variant="default" size="xs">
        New recovery codes
      </Button>
    )}
    {admin.totp && <SwitchOff />}
  </Way>
)

/** What a person signs in with, and how to change it. */
export const SignIn = ({ admin }: { admin: Admin }) => {
  const [open, setOpen] = useState<'email' | 'password'>()
  const close = () => setOpen(undefined)
  return (
    <Card flush>
      <Way title="Email" about={admin.email}>
        <Button variant="default" size="xs" aria-label="Change your email address" onClick={() => setOpen('email')}>
          Change
        </Button>
      </Way>
      <Way title="Password" about="Changing it signs out your other browsers.">
        <Button variant="default" size="xs" aria-label="Change your password" onClick={() => setOpen('password')}>
          Change
        </Button>
      </Way>
      <SecondFactor admin={admin} />
      {open === 'email' && <ChangeEmail onClose={close} />}
      {open === 'password' && <ChangePassword onClose={close} />}
    </Card>
  )
}
