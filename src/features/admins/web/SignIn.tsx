import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { Admin } from '#features/admins/contract.ts'
import { api } from '#web/api.ts'
import { useRecheckSession } from '#web/session.ts'
import { Card } from '#web/ui/Card.tsx'
import { Status } from '#web/ui/Status.tsx'
import { showToast } from '#web/ui/toasts.ts'
import classes from './AccountPage.module.css'
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
    showToast({ tone: 'good', text: 'The second factor is off.' })
  }
  return (
    <PasswordConfirmButton
      label="Switch off"
      title="Switch the second factor off?"
      verb="Switch it off"
      effects={[
        'Your password alone is enough to sign in from then on.',
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
        Second factor <Status {...secondFactorStatus(admin)} />
      </>
    }
    about="A code from an app on your phone, so that a stolen password is not enough."
  >
    <Button component={Link} to="/settings/account/second-factor" variant={admin.totp ? 'default' : 'filled'} size="xs">
      {admin.totp ? 'New recovery codes or phone' : 'Set it up'}
    </Button>
    {admin.totp && <SwitchOff />}
  </Way>
)

/** What a person signs in with, and how to change it. */
export const SignIn = ({ admin }: { admin: Admin }) => {
  const [open, setOpen] = useState<'email' | 'password'>()
  const close = () => setOpen(undefined)
  return (
    <Card flush>
      <Way title="E-mail" about={admin.email}>
        <Button variant="default" size="xs" aria-label="Change the e-mail address" onClick={() => setOpen('email')}>
          Change
        </Button>
      </Way>
      <Way title="Password" about="Changing it signs out your other browsers.">
        <Button variant="default" size="xs" aria-label="Change the password" onClick={() => setOpen('password')}>
          Change
        </Button>
      </Way>
      <SecondFactor admin={admin} />
      {open === 'email' && <ChangeEmail onClose={close} />}
      {open === 'password' && <ChangePassword onClose={close} />}
    </Card>
  )
}
