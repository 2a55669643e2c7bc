import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { login } from '#features/login/contract.ts'
import { api } from '#web/api.ts'
import { CardLink } from '#web/ui/CardLink.tsx'
import { EmailField } from '#web/ui/EmailField.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { checked } from '#web/ui/field-errors.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { useFirstFocus } from '#web/ui/use-first-focus.ts'
import { useSubmission } from '#web/ui/use-submission.ts'

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
          Enter the address you sign in with. You get a link to choose a new password.
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
          Send the link
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
      <PageHeading title="Look into your mail" takesFocus />
      <Text size="sm">
        If <strong>{sentTo}</strong> belongs to an account here, a link to choose a new password is on its way.
      </Text>
      <Text size="sm" c="dimmed">
        Nothing after a few minutes? Look into the spam folder, or ask somebody who can sign in to check the panel’s
        mail settings.
      </Text>
      <BackToSignIn />
    </Stack>
  )
}
