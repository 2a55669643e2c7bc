import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Site } from '#features/sites/contract.ts'
import { FormDialog } from '#web/kit/FormDialog.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { PasswordField } from '#web/kit/PasswordField.tsx'
import { useForm } from '#web/kit/use-form.ts'
import { ftp } from '../contract.ts'
import { api } from './api.ts'
import { ExpiryFields, type ExpiryValues, expiryPropsOf } from './ExpiryFields.tsx'
import { EXPIRY_CHOICES, expiresAtOf } from './expiry-choices.ts'
import type { Given } from './GivenLogin.tsx'
import { ftpKey } from './use-ftp.ts'

interface Values extends ExpiryValues {
  username: string
  folder: string
  password: string
}

interface CreateLoginProps {
  site: Site
  onGiven: (given: Given) => void
  onClose: () => void
}

const bodyOf = ({ username, folder, password, expires, day }: Values) =>
  checked(ftp.ftpUserCreate.body, {
    username: username.trim(),
    folder: folder.trim().replace(/^\/+|\/+$/g, ''),
    expiresAt: expiresAtOf(expires, day, Date.now()) ?? null,
    ...(password !== '' && { password }),
  })

/** A new login; its password is generated unless the person wants their own. */
export const CreateLogin = ({ site: { slug }, onGiven, onClose }: CreateLoginProps) => {
  const queryClient = useQueryClient()
  const blank: Values = { username: '', folder: '', password: '', expires: EXPIRY_CHOICES[0].value, day: '' }
  const form = useForm(blank, async values => {
    const { user, password } = await api.ftpUserCreate({ params: { slug }, body: bodyOf(values) })
    onGiven({ username: user.username, password })
    await queryClient.invalidateQueries({ queryKey: ftpKey(slug) })
  })
  return (
    <FormDialog
      title="Create FTP login"
      verb="Create login"
      isPending={form.isPending}
      isIncomplete={form.values.expires === 'day' && form.values.day === ''}
      formProps={form.formProps}
      onClose={onClose}
    >
      <TextInput
        label="Username"
        placeholder="freelancer"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.text('username')}
      />
      <TextInput
        label="Folder (optional)"
        description="The login sees nothing else. Empty means the whole site."
        placeholder="wp-content/themes"
        autoComplete="off"
        spellCheck={false}
        {...form.text('folder')}
      />
      <ExpiryFields {...expiryPropsOf(form)} />
      <PasswordField
        label="Password (optional)"
        description="Leave it empty to get a generated one."
        autoComplete="new-password"
        {...form.text('password')}
      />
      <FormError key={form.failures} problem={form.problem} fields={['username', 'folder', 'password', 'expiresAt']} />
    </FormDialog>
  )
}
