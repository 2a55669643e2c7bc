import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { login } from '#features/login/contract.ts'
import { useEnterSession } from '#web/client/session.ts'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { PageHeading } from '#web/kit/PageHeading.tsx'
import { useFirstFocus } from '#web/kit/use-first-focus.ts'
import { useSubmission } from '#web/kit/use-submission.ts'
import { api } from './api.ts'

const kinds = {
  app: {
    title: 'Enter your code',
    label: 'Code',
    advice: 'Open your authenticator app and enter the 6 digits it shows for Fleetpress.',
    other: 'Use a recovery code',
    inputMode: 'numeric',
    autoComplete: 'one-time-code',
  },
  recovery: {
    title: 'Use a recovery code',
    label: 'Recovery code',
    advice: 'Enter one of the recovery codes you saved. Each works once.',
    other: 'Use the app instead',
    inputMode: 'text',
    autoComplete: 'off',
  },
} as const

interface CodeFormProps {
  challenge: string
  kind: keyof typeof kinds
  onSwitch: () => void
  onBack: () => void
}

const CodeForm = ({ challenge, kind, onSwitch, onBack }: CodeFormProps) => {
  const { title, label, advice, other, inputMode, autoComplete } = kinds[kind]
  const [code, setCode] = useState('')
  const firstField = useFirstFocus()
  const enterSession = useEnterSession()
  const { formProps, problem, failures, isPending, errorOf } = useSubmission(async () => {
    // Apps show `123 456`; the gap is for the eye only.
    const body = checked(login.loginTotp.body, { challenge, code: code.replaceAll(/\s/g, '') })
    const { csrfToken } = await api.loginTotp({ body })
    await enterSession(csrfToken)
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <PageHeading title={title} />
        <Text size="sm" c="dimmed">
          {advice}
        </Text>
        <TextInput
          ref={firstField}
          required
          withAsterisk={false}
          label={label}
          name="code"
          inputMode={inputMode}
          autoComplete={autoComplete}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          data-retry
          value={code}
          onChange={event => setCode(event.currentTarget.value)}
          error={errorOf('code')}
        />
        <FormError key={failures} problem={problem} fields={['code']} />
        <Button type="submit" fullWidth loading={isPending}>
          Sign in
        </Button>
        <Group justify="space-between" gap="xs">
          <Anchor component="button" type="button" size="sm" onClick={onBack}>
            Start again
          </Anchor>
          <Anchor component="button" type="button" size="sm" onClick={onSwitch}>
            {other}
          </Anchor>
        </Group>
      </Stack>
    </form>
  )
}

export const CodeStep = ({ challenge, onBack }: { challenge: string; onBack: () => void }) => {
  const [kind, setKind] = useState<keyof typeof kinds>('app')
  const other = kind === 'app' ? 'recovery' : 'app'
  return <CodeForm key={kind} challenge={challenge} kind={kind} onSwitch={() => setKind(other)} onBack={onBack} />
}
