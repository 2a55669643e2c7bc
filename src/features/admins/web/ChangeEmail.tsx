import { admins } from '#features/admins/contract.ts'
import { api } from '#web/api.ts'
import { EmailField } from '#web/ui/EmailField.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { checked } from '#web/ui/field-errors.ts'
import { showToast } from '#web/ui/toasts.ts'
import { useForm } from '#web/ui/use-form.ts'
import { FormDialog } from './FormDialog.tsx'
import { OwnPasswordField } from './OwnPasswordField.tsx'

export const ChangeEmail = ({ onClose }: { onClose: () => void }) => {
  const form = useForm({ email: '', password: '' }, async ({ email, password }) => {
    const body = checked(admins.accountEmail.body, { email: email.trim(), password })
    await api.accountEmail({ body })
    showToast({ tone: 'good', text: `Open the link that was sent to ${body.email}. Until then nothing changes.` })
    onClose()
  })
  return (
    <FormDialog title="Change your e-mail address" verb="Send the link" onClose={onClose} {...form}>
      <EmailField
        {...form.text('email')}
        label="New address"
        description="You get a link there; you sign in with this address once you have opened it."
      />
      <OwnPasswordField {...form.text('password')} />
      <FormError key={form.failures} problem={form.problem} fields={['email', 'password']} />
    </FormDialog>
  )
}
