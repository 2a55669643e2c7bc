import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { login } from '#features/login/contract.ts'
import { CardLink } from '#web/kit/CardLink.tsx'
import { EmailField } from '#web/kit/EmailField.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { PageHeading } from '#web/kit/PageHeading.tsx'
import { useFirstFocus } from '#web/kit/use-first-focus.ts'
import { useSubmission } from '#web/kit/use-submission.ts'
import { api } from './api.ts'

const BackToSignIn = () => <CardLink to="/login">Back to sign in</CardLink>

const AskForLink = ({ onSent }: { onSent: (email: string) => void }) => {
  const [email, setEmail] = useState('')
  const firstField = useFirstFocus()
  const { formProps, problem, failures, isPending, errorOf } = useSubmission(async () => {
    const body = checked(login.forgotPassword.body, { email: email.trim() })
    await api.forgotPassword({ body })
    onSent(body.email)
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <PageHeading title="Forgot your password?" />
        <Text size="sm" c="dimmed">
          Enter the email address you sign in with. We'll send you a link to set a new password.
        </Text>
        <EmailField
          ref={firstField}
          data-retry
          value={email}
          onChange={event => setEmail(event.currentTarget.value)}
          error={errorOf('email')}
        />
        <FormError key={failures} problem={problem} fields={['email']} />
        <Button type="submit" fullWidth loading={isPending}>
          Send link
        </Button>
        <BackToSignIn />
      </Stack>
    </form>
  )
}

/** Never says whether an address is known. */
export const ForgotPasswordPage = () => {
  const [sentTo, setSentTo] = useState<string>()
  if (sentTo === undefined) return <AskForLink onSent={setSentTo} />
  return (
    <Stack gap="md">
      <PageHeading title="Check your inbox" takesFocus />
      <Text size="sm">
        If <strong>{sentTo}</strong> has an account here, a link to set a new password is on its way.
      </Text>
      <Text size="sm" c="dimmed">
        Nothing after a few minutes? Check your spam folder, or ask another admin to check the mail settings.
      </Text>
      <BackToSignIn />
    </Stack>
  )
}
