import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { login } from '#features/login/contract.ts'
import { useEnterSession } from '#web/client/session.ts'
import { CardLink } from '#web/kit/CardLink.tsx'
import { EmailField } from '#web/kit/EmailField.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { PageHeading } from '#web/kit/PageHeading.tsx'
import { PasswordField } from '#web/kit/PasswordField.tsx'
import { useFirstFocus } from '#web/kit/use-first-focus.ts'
import { useSubmission } from '#web/kit/use-submission.ts'
import { api } from './api.ts'

export const PasswordStep = ({ onChallenge }: { onChallenge: (challenge: string) => void }) => {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const firstField = useFirstFocus()
  const enterSession = useEnterSession()
  const { formProps, problem, failures, isPending, errorOf } = useSubmission(async () => {
    const answer = await api.login({ body: checked(login.login.body, { email: email.trim(), password }) })
    if ('challenge' in answer) onChallenge(answer.challenge)
    else await enterSession(answer.csrfToken)
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <PageHeading title="Sign in" />
        <EmailField
          ref={firstField}
          value={email}
          onChange={event => setEmail(event.currentTarget.value)}
          error={errorOf('email')}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          data-retry
          value={password}
          onChange={event => setPassword(event.currentTarget.value)}
          error={errorOf('password')}
        />
        <FormError key={failures} problem={problem} fields={['email', 'password']} />
        <Button type="submit" fullWidth loading={isPending}>
          Sign in
        </Button>
        <CardLink to="/forgot-password">Forgot your password?</CardLink>
      </Stack>
    </form>
  )
}
