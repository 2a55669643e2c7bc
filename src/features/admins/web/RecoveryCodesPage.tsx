import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { admins } from '#features/admins/contract.ts'
import { useSession } from '#web/client/session.ts'
import { Card } from '#web/kit/Card.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { Page } from '#web/kit/Page.tsx'
import { useFirstFocus } from '#web/kit/use-first-focus.ts'
import { useForm } from '#web/kit/use-form.ts'
import { api } from './api.ts'
import { OwnPasswordField } from './OwnPasswordField.tsx'
import classes from './SecondFactorPage.module.css'
import { CodesStep } from './second-factor/CodesStep.tsx'

const PasswordStep = ({ onCodes }: { onCodes: (codes: string[]) => void }) => {
  const firstField = useFirstFocus()
  const form = useForm({ password: '' }, async values => {
    const body = checked(admins.accountTotpEnable.body, values)
    onCodes((await api.accountTotpEnable({ body })).recoveryCodes)
  })
  return (
    <form {...form.formProps}>
      <Stack gap="md">
        <Text size="sm">
          You get ten new recovery codes, and the old ones stop working. Your authenticator app is not affected.
        </Text>
        <OwnPasswordField ref={firstField} {...form.text('password')} />
        <FormError key={form.failures} problem={form.problem} fields={['password']} />
        <div>
          <Button type="submit" loading={form.isPending}>
            Create new codes
          </Button>
        </div>
      </Stack>
    </form>
  )
}

/** New recovery codes for a second factor that stays on. */
export const RecoveryCodesPage = () => {
  const { data: session } = useSession()
  const navigate = useNavigate()
  const [codes, setCodes] = useState<string[]>()
  if (!session) return null
  return (
    <Page title="New recovery codes" back={{ label: 'Your account', to: '/settings/account' }}>
      <div className={classes.column}>
        <Card>
          {codes ? (
            <CodesStep codes={codes} email={session.admin.email} onDone={async () => navigate('/settings/account')} />
          ) : (
            <PasswordStep onCodes={setCodes} />
          )}
        </Card>
      </div>
    </Page>
  )
}
