import { admins } from '#features/admins/contract.ts'
import { FormDialog } from '#web/kit/FormDialog.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { PasswordField } from '#web/kit/PasswordField.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { useForm } from '#web/kit/use-form.ts'
import { api } from './api.ts'
import { OwnPasswordField } from './OwnPasswordField.tsx'

export const ChangePassword = ({ onClose }: { onClose: () => void }) => {
  const form = useForm({ password: '', newPassword: '' }, async values => {
    await api.accountPassword({ body: checked(admins.accountPassword.body, values) })
    showToast({ tone: 'good', text: 'Password changed. Your other browsers are signed out.' })
    onClose()
  })
  return (
    <FormDialog title="Change your password" verb="Change password" onClose={onClose} {...form}>
      <OwnPasswordField {...form.text('password')} label="Current password" />
      <PasswordField
        {...form.text('newPassword')}
        label="New password"
        description="At least 12 characters. A few random words work well."
        autoComplete="new-password"
      />
      <FormError key={form.failures} problem={form.problem} fields={['password', 'newPassword']} />
    </FormDialog>
  )
}
