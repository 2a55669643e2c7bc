import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { login } from '#features/login/contract.ts'
import { api } from '#web/api.ts'
import { useRecheckSession, useSession } from '#web/session.ts'
import { FormError } from '#web/ui/FormError.tsx'
import { checked } from '#web/ui/field-errors.ts'
import { IncompleteLink } from '#web/ui/IncompleteLink.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { useLinkToken } from '#web/ui/use-link-token.ts'
import { useSubmission } from '#web/ui/use-submission.ts'
import { Waiting } from '#web/ui/Waiting.tsx'

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
        <PageHeading title="Confirm your address" takesFocus />
        <Text size="sm" c="dimmed">
          From then on you sign in with the address this link was sent to.
        </Text>
        <FormError key={failures} problem={problem} />
        <Button type="submit" fullWidth loading={isPending} data-retry>
          Confirm the address
        </Button>
      </Stack>
    </form>
  )
}

/** Confirms on a button press: mail scanners open links too. */
export const ConfirmEmailPage = () => {
  const token = useLinkToken()
  const [isDone, setDone] = useState(false)
  // Whoever is signed in here already has to send the token of that session too.
  const { isPending } = useSession()
  if (isPending) return <Waiting />
  if (isDone) {
    return (
      <Stack gap="md">
        <PageHeading title="Address confirmed" takesFocus />
        <Text size="sm" c="dimmed">
          Your account uses the new address now.
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
        title="Confirm your address"
        advice="Open the link in the mail again, or change the address in your account once more for a new one."
      />
    )
  }
  return <Confirm key={token} token={token} onDone={() => setDone(true)} />
}
