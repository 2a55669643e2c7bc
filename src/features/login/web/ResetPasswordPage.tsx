import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { login } from '#features/login/contract.ts'
import { useRecheckSession, useSession } from '#web/client/session.ts'
import { CardLink } from '#web/kit/CardLink.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { IncompleteLink } from '#web/kit/IncompleteLink.tsx'
import { NewPasswordField } from '#web/kit/NewPasswordField.tsx'
import { PageHeading } from '#web/kit/PageHeading.tsx'
import { useFirstFocus } from '#web/kit/use-first-focus.ts'
import { useLinkToken } from '#web/kit/use-link-token.ts'
import { useSubmission } from '#web/kit/use-submission.ts'
import { Waiting } from '#web/kit/Waiting.tsx'
import { api } from './api.ts'

const purposes = {
  reset: {
    title: 'Choose a new password',
    advice: 'You will be signed out everywhere. Then sign in with the new password.',
    button: 'Change password',
    done: 'Password changed',
    lost: 'Open the link in the email again, or request a new one.',
  },
  invitation: {
    title: 'Welcome to Fleetpress',
    advice: 'Choose a password for your account.',
    button: 'Set password',
    done: 'Your account is ready',
    lost: 'Open the link in the email again, or ask the person who invited you for a new one.',
  },
} as const

interface ChoosePasswordProps {
  token: string
  purpose: keyof typeof purposes
  onDone: () => void
}

const ChoosePassword = ({ token, purpose, onDone }: ChoosePasswordProps) => {
  const { title, advice, button } = purposes[purpose]
  const [password, setPassword] = useState('')
  const firstField = useFirstFocus()
  const recheckSession = useRecheckSession()
  const { formProps, problem, failures, isPending, errorOf } = useSubmission(async () => {
    await api.resetPassword({ body: checked(login.resetPassword.body, { token, password }) })
    await recheckSession()
    onDone()
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <PageHeading title={title} />
        <Text size="sm" c="dimmed">
          {advice}
        </Text>
        <NewPasswordField
          ref={firstField}
          data-retry
          value={password}
          onChange={event => setPassword(event.currentTarget.value)}
          error={errorOf('password')}
        />
        <FormError key={failures} problem={problem} fields={['password']} />
        <Button type="submit" fullWidth loading={isPending}>
          {button}
        </Button>
        {purpose === 'reset' && <CardLink to="/forgot-password">Request a new link</CardLink>}
      </Stack>
    </form>
  )
}

/** Chooses a password with the token of a link. */
const ChoosePasswordPage = ({ purpose }: { purpose: keyof typeof purposes }) => {
  const token = useLinkToken()
  const [isDone, setDone] = useState(false)
  const { title, done, lost } = purposes[purpose]
  // Anyone who is signed in here already has to send the token of that session too.
  const { isPending } = useSession()
  if (isPending) return <Waiting />
  if (isDone) {
    return (
      <Stack gap="md">
        <PageHeading title={done} takesFocus />
        <Text size="sm" c="dimmed">
          You can now sign in with your new password.
        </Text>
        <Button component={Link} to="/login" fullWidth>
          Sign in
        </Button>
      </Stack>
    )
  }
  if (!login.resetPassword.body.shape.token.safeParse(token).success) {
    return (
      <IncompleteLink title={title} advice={lost}>
        {purpose === 'reset' && (
          <Button component={Link} to="/forgot-password" variant="light" fullWidth>
            Request a new link
          </Button>
        )}
      </IncompleteLink>
    )
  }
  return <ChoosePassword key={token} token={token} purpose={purpose} onDone={() => setDone(true)} />
}

/** Where the links of reset mails lead. */
export const ResetPasswordPage = () => <ChoosePasswordPage purpose="reset" />

/** Where the links of invitations lead. */
export const InvitationPage = () => <ChoosePasswordPage purpose="invitation" />
