import { admins } from '#features/admins/contract.ts'
import { api } from '#web/api.ts'
import { FormError } from '#web/ui/FormError.tsx'
import { checked } from '#web/ui/field-errors.ts'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { showToast } from '#web/ui/toasts.ts'
import { useForm } from '#web/ui/use-form.ts'
import { FormDialog } from './FormDialog.tsx'
import { OwnPasswordField } from './OwnPasswordField.tsx'

export const ChangePassword = ({ onClose }: { onClose: () => void }) => {
  const form = useForm({ password: '', newPassword: '' }, async values => {
    await api.accountPassword({ body: checked(admins.accountPassword.body, values) })
    showToast({ tone: 'good', text: 'Your password is changed. Your other browsers are signed out.' })
    onClose()
  })
  return (
    <FormDialog title="Change your password" verb="Change the password" onClose={onClose} {...form}>
      <OwnPasswordField {...form.text('password')} label="Your present password" />
      <PasswordField
        {...form.text('newPassword')}
        label="New password"
        description="At least 12 characters; a few words work well."
        autoComplete="new-password"
      />
      <FormError key={form.failures} problem={form.problem} fields={['password', 'newPassword']} />
    </FormDialog>
  )
}
