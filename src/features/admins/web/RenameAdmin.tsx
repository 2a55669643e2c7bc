import { Button, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type Admin, admins } from '#features/admins/contract.ts'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { showToast } from '#web/kit/toasts.ts'
import { useForm } from '#web/kit/use-form.ts'
import { api } from './api.ts'
import { OwnPasswordField } from './OwnPasswordField.tsx'

/** Changes what someone is called; the password is asked for once there is something to save. */
export const RenameAdmin = ({ admin: { id, name } }: { admin: Admin }) => {
  const queryClient = useQueryClient()
  const form = useForm({ name, password: '' }, async values => {
    const body = checked(admins.adminUpdate.body, { name: values.name.trim(), password: values.password })
    await api.adminUpdate({ params: { id }, body })
    await queryClient.invalidateQueries({ queryKey: ['admins'] })
    showToast({ tone: 'good', text: `Renamed to ${body.name}.` })
  })
  return (
    <form {...form.formProps}>
      <Stack gap="sm">
        <TextInput label="Name" autoComplete="off" {...form.text('name')} />
        {form.values.name !== name && (
          <>
            <OwnPasswordField {...form.text('password')} />
            <FormError key={form.failures} problem={form.problem} fields={['name', 'password']} />
            <div>
              <Button type="submit" size="xs" loading={form.isPending}>
                Rename
              </Button>
            </div>
          </>
        )}
      </Stack>
    </form>
  )
}
