import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { login } from '#features/login/contract.ts'
import { api } from '#web/api.ts'
import { useRecheckSession, useSession } from '#web/session.ts'
import { CardLink } from '#web/ui/CardLink.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { checked } from '#web/ui/field-errors.ts'
import { IncompleteLink } from '#web/ui/IncompleteLink.tsx'
import { NewPasswordField } from '#web/ui/NewPasswordField.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { useFirstFocus } from '#web/ui/use-first-focus.ts'
import { useLinkToken } from '#web/ui/use-link-token.ts'
import { useSubmission } from '#web/ui/use-submission.ts'
import { Waiting } from '#web/ui/Waiting.tsx'

const purposes = {
  reset: {
    title: 'Choose a new password',
    advice: 'Afterwards you are signed out everywhere and sign in with the new one.',
    button: 'Change the password',
    done: 'Password changed',
    lost: 'Open the link in the mail again, or ask for a new one.',
  },
  invitation: {
    title: 'Welcome to Fleetpress',
    advice: 'Choose a password for your account.',
    button: 'Set the password',
    done: 'Your account is ready',
    lost: 'Open the link in the mail again, or ask the person who invited you for a new one.',
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
        {purpose === 'reset' && <CardLink to="/forgot-password">Ask for a new link</CardLink>}
      </Stack>
    </form>
  )
}

/** Where the links of reset mails and invitations lead. */
export const ResetPasswordPage = ({ purpose }: { purpose: keyof typeof purposes }) => {
  const token = useLinkToken()
  const [isDone, setDone] = useState(false)
  const { title, done, lost } = purposes[purpose]
  // Whoever is signed in here already has to send the token of that session too.
  const { isPending } = useSession()
  if (isPending) return <Waiting />
  if (isDone) {
    return (
      <Stack gap="md">
        <PageHeading title={done} takesFocus />
        <Text size="sm" c="dimmed">
          You can sign in with the new password now.
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
            Ask for a new link
          </Button>
        )}
      </IncompleteLink>
    )
  }
  return <ChoosePassword key={token} token={token} purpose={purpose} onDone={() => setDone(true)} />
}
