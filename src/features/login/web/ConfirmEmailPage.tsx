import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { login } from '#features/login/contract.ts'
import { useRecheckSession, useSession } from '#web/client/session.ts'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { IncompleteLink } from '#web/kit/IncompleteLink.tsx'
import { PageHeading } from '#web/kit/PageHeading.tsx'
import { useLinkToken } from '#web/kit/use-link-token.ts'
import { useSubmission } from '#web/kit/use-submission.ts'
import { Waiting } from '#web/kit/Waiting.tsx'
import { api } from './api.ts'

const Confirm = ({ token, onDone }: { token: string; onDone: () => void }) => {
  const recheckSession = useRecheckSession()
  const { formProps, problem, failures, isPending } = useSubmission(async () => {
    await api.confirmEmail({ body: checked(login.confirmEmail.body, { token }) })
    await recheckSession()
    onDone()
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <PageHeading title="Confirm your email address" takesFocus />
        <Text size="sm" c="dimmed">
          After this, you sign in with the address this link was sent to.
        </Text>
        <FormError key={failures} problem={problem} />
        <Button type="submit" fullWidth loading={isPending} data-retry>
          Confirm address
        </Button>
      </Stack>
    </form>
  )
}

/** Confirms on a button press: mail scanners open links too. */
export const ConfirmEmailPage = () => {
  const token = useLinkToken()
  const [isDone, setDone] = useState(false)
  // Anyone who is signed in here already has to send the token of that session too.
  const { isPending } = useSession()
  if (isPending) return <Waiting />
  if (isDone) {
    return (
      <Stack gap="md">
        <PageHeading title="Address confirmed" takesFocus />
        <Text size="sm" c="dimmed">
          Your account now uses the new address.
        </Text>
        <Button component={Link} to="/" fullWidth>
          Go to the panel
        </Button>
      </Stack>
    )
  }
  if (!login.confirmEmail.body.shape.token.safeParse(token).success) {
    return (
      <IncompleteLink
        title="Confirm your email address"
        advice="Open the link in the email again, or change your address again to get a new one."
      />
    )
  }
  return <Confirm key={token} token={token} onDone={() => setDone(true)} />
}
