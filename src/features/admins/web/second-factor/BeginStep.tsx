import { Button, Stack, Text } from '@mantine/core'
import { admins } from '#features/admins/contract.ts'
import { api } from '#web/api.ts'
import { FormError } from '#web/ui/FormError.tsx'
import { checked } from '#web/ui/field-errors.ts'
import { useFirstFocus } from '#web/ui/use-first-focus.ts'
import { useForm } from '#web/ui/use-form.ts'
import { OwnPasswordField } from '../OwnPasswordField.tsx'
import type { Begun } from './ScanStep.tsx'

const ADVICE = {
  first: 'From then on you are asked for a code from an app on your phone whenever you sign in.',
  again:
    'You get a new code for your app and new recovery codes; the old ones stop working now. Until you have finished, your password alone is enough to sign in.',
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
            {isReplacing ? 'Replace it' : 'Go on'}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
