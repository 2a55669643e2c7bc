import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { setup } from '#features/setup/contract.ts'
import { api } from '#web/api.ts'
import { useEnterSession } from '#web/session.ts'
import { EmailField } from '#web/ui/EmailField.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { checked } from '#web/ui/field-errors.ts'
import { IncompleteLink } from '#web/ui/IncompleteLink.tsx'
import { NewPasswordField } from '#web/ui/NewPasswordField.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { useFirstFocus } from '#web/ui/use-first-focus.ts'
import { useLinkToken } from '#web/ui/use-link-token.ts'
import { useSubmission } from '#web/ui/use-submission.ts'

const title = 'Set up your panel'

const OwnerForm = ({ token }: { token: string }) => {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const firstField = useFirstFocus()
  const enterSession = useEnterSession()
  const navigate = useNavigate()
  const { formProps, problem, failures, isPending, errorOf } = useSubmission(async () => {
    const values = { token, name: name.trim(), email: email.trim(), password }
    const { csrfToken } = await api.setupOwner({ body: checked(setup.setupOwner.body, values) })
    await enterSession(csrfToken)
    await navigate('/', { replace: true })
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <PageHeading title={title} />
        <Text size="sm" c="dimmed">
          You become the owner: the one account that nobody else can change or remove.
        </Text>
        <TextInput
          ref={firstField}
          required
          withAsterisk={false}
          label="Your name"
          name="name"
          autoComplete="name"
          value={name}
          onChange={event => setName(event.currentTarget.value)}
          error={errorOf('name')}
        />
        <EmailField value={email} onChange={event => setEmail(event.currentTarget.value)} error={errorOf('email')} />
        <NewPasswordField
          data-retry
          value={password}
          onChange={event => setPassword(event.currentTarget.value)}
          error={errorOf('password')}
        />
        <FormError key={failures} problem={problem} fields={['name', 'email', 'password']} />
        <Button type="submit" fullWidth loading={isPending}>
          Create the owner
        </Button>
      </Stack>
    </form>
  )
}

/** Makes the first account, with the link that the console printed. */
export const SetupPage = () => {
  const token = useLinkToken()
  if (!setup.setupOwner.body.shape.token.safeParse(token).success) {
    return (
      <IncompleteLink title={title} advice="Open the link that `./fleetpress up` printed on the console, all of it." />
    )
  }
  return <OwnerForm key={token} token={token} />
}
