import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { setup } from '#features/setup/contract.ts'
import { useEnterSession } from '#web/client/session.ts'
import { EmailField } from '#web/kit/EmailField.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { IncompleteLink } from '#web/kit/IncompleteLink.tsx'
import { NewPasswordField } from '#web/kit/NewPasswordField.tsx'
import { PageHeading } from '#web/kit/PageHeading.tsx'
import { useFirstFocus } from '#web/kit/use-first-focus.ts'
import { useLinkToken } from '#web/kit/use-link-token.ts'
import { useSubmission } from '#web/kit/use-submission.ts'
import { api } from './api.ts'

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
          This creates the owner: the one account that no one else can change or remove.
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
          Create owner
        </Button>
      </Stack>
    </form>
  )
}

/** Makes the first account, with the link that the console printed. */
export const SetupPage = () => {
  const token = useLinkToken()
  if (!setup.setupOwner.body.shape.token.safeParse(token).success) {
    return <IncompleteLink title={title} advice="Open the full link that `./fleetpress up` printed in the terminal." />
  }
  return <OwnerForm key={token} token={token} />
}
