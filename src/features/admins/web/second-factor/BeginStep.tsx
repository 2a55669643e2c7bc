import { Button, Stack, Text } from '@mantine/core'
import { admins } from '#features/admins/contract.ts'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { useFirstFocus } from '#web/kit/use-first-focus.ts'
import { useForm } from '#web/kit/use-form.ts'
import { api } from '../api.ts'
import { OwnPasswordField } from '../OwnPasswordField.tsx'
import type { Begun } from './ScanStep.tsx'

const ADVICE = {
  first: 'You will need a code from an app on your phone each time you sign in.',
  again:
    'You get a new QR code and new recovery codes. The old ones stop working now. Until you finish, your password alone is enough to sign in.',
}

interface BeginStepProps {
  /** Whether there is a second factor already, which the new one replaces. */
  isReplacing: boolean
  onBegun: (begun: Begun) => void
}

export const BeginStep = ({ isReplacing, onBegun }: BeginStepProps) => {
  const firstField = useFirstFocus()
  const form = useForm({ password: '' }, async values => {
    const body = checked(admins.accountTotpBegin.body, values)
    if (isReplacing) await api.accountTotpDisable({ body })
    onBegun(await api.accountTotpBegin({ body }))
  })
  return (
    <form {...form.formProps}>
      <Stack gap="md">
        <Text size="sm">{isReplacing ? ADVICE.again : ADVICE.first}</Text>
        <OwnPasswordField ref={firstField} {...form.text('password')} />
        <FormError key={form.failures} problem={form.problem} fields={['password']} />
        <div>
          <Button type="submit" loading={form.isPending}>
            {isReplacing ? 'Replace phone' : 'Continue'}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
