import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import type { z } from 'zod'
import { admins } from '#features/admins/contract.ts'
import { CopyField } from '#web/kit/CopyButton.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { useFirstFocus } from '#web/kit/use-first-focus.ts'
import { useForm } from '#web/kit/use-form.ts'
import { api } from '../api.ts'
import classes from './ScanStep.module.css'

export type Begun = z.infer<typeof admins.accountTotpBegin.reply>

const inFours = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')

interface ScanStepProps {
  begun: Begun
  onEnabled: (recoveryCodes: string[]) => void
}

/** The code for the app, drawn by the panel itself, and the first code back. */
export const ScanStep = ({ begun: { secret, otpauthUrl, qrSvg }, onEnabled }: ScanStepProps) => {
  const firstField = useFirstFocus()
  const form = useForm({ code: '' }, async ({ code }) => {
    const body = checked(admins.accountTotpEnable.body, { code: code.replaceAll(/\s/g, '') })
    onEnabled((await api.accountTotpEnable({ body })).recoveryCodes)
  })
  return (
    <form {...form.formProps}>
      <Stack gap="md">
        <Text size="sm">
          Scan this with an authenticator app, such as Aegis, 1Password or Google Authenticator. Is the app on this
          device?{' '}
          <Anchor href={otpauthUrl} inherit underline="always">
            Open in the app
          </Anchor>
        </Text>
        <img
          className={classes.qr}
          src={`data:image/svg+xml,${encodeURIComponent(qrSvg)}`}
          width={208}
          height={208}
          alt="QR code for an authenticator app"
        />
        <CopyField label="Or enter this key" value={inFours(secret)} />
        <TextInput
          ref={firstField}
          required
          withAsterisk={false}
          label="Code"
          description="The 6 digits your app shows for Fleetpress."
          inputMode="numeric"
          autoComplete="one-time-code"
          data-retry
          {...form.text('code')}
        />
        <FormError key={form.failures} problem={form.problem} fields={['code']} />
        <div>
          <Button type="submit" loading={form.isPending}>
            Turn on
          </Button>
        </div>
      </Stack>
    </form>
  )
}
