import { admins } from '#features/admins/contract.ts'
import { EmailField } from '#web/kit/EmailField.tsx'
import { FormDialog } from '#web/kit/FormDialog.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { showToast } from '#web/kit/toasts.ts'
import { useForm } from '#web/kit/use-form.ts'
import { api } from './api.ts'
import { OwnPasswordField } from './OwnPasswordField.tsx'

export const ChangeEmail = ({ onClose }: { onClose: () => void }) => {
  const form = useForm({ email: '', password: '' }, async ({ email, password }) => {
    const body = checked(admins.accountEmail.body, { email: email.trim(), password })
    await api.accountEmail({ body })
    showToast({ tone: 'good', text: `Open the link we sent to ${body.email} to confirm the change.` })
    onClose()
  })
  return (
    <FormDialog title="Change your email address" verb="Send link" onClose={onClose} {...form}>
      <EmailField
        {...form.text('email')}
        label="New email address"
        description="We send a link there. Once you open it, you sign in with this address."
      />
      <OwnPasswordField {...form.text('password')} />
      <FormError key={form.failures} problem={form.problem} fields={['email', 'password']} />
    </FormDialog>
  )
}
