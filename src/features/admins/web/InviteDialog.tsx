import { Alert, Anchor, TextInput } from '@mantine/core'
import { IconMailOff } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { admins } from '#features/admins/contract.ts'
import { api } from '#web/api.ts'
import { EmailField } from '#web/ui/EmailField.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { checked } from '#web/ui/field-errors.ts'
import { showToast } from '#web/ui/toasts.ts'
import { useFirstFocus } from '#web/ui/use-first-focus.ts'
import { useForm } from '#web/ui/use-form.ts'
import { FormDialog } from './FormDialog.tsx'
import { OwnPasswordField } from './OwnPasswordField.tsx'

/** Said before the letter goes nowhere. */
const NoMailYet = () => (
  <Alert color="orange" variant="light" p="sm" icon={<IconMailOff aria-hidden="true" />}>
    The panel has no mail server yet, so the letter becomes a file in the outbox of its data folder.{' '}
    <Anchor component={Link} to="/settings#mail" inherit underline="always">
      Set up mail
    </Anchor>
  </Alert>
)

interface InviteFormProps {
  hasMail: boolean
  onClose: () => void
}

const InviteForm = ({ hasMail, onClose }: InviteFormProps) => {
  const queryClient = useQueryClient()
  const firstField = useFirstFocus()
  const form = useForm({ name: '', email: '', password: '' }, async ({ name, email, password }) => {
    const body = checked(admins.adminInvite.body, { name: name.trim(), email: email.trim(), password })
    await api.adminInvite({ body })
    await queryClient.invalidateQueries({ queryKey: ['admins'] })
    showToast({ tone: 'good', text: `${body.name} is invited. The link works for seven days.` })
    onClose()
  })
  return (
    <FormDialog title="Invite an admin" verb="Send the invitation" onClose={onClose} {...form}>
      {!hasMail && <NoMailYet />}
      <TextInput
        ref={firstField}
        required
        withAsterisk={false}
        label="Name"
        autoComplete="off"
        {...form.text('name')}
      />
      <EmailField
        description="They get a link to choose a password, and may do everything you may."
        {...form.text('email')}
        autoComplete="off"
      />
      <OwnPasswordField {...form.text('password')} />
      <FormError key={form.failures} problem={form.problem} fields={['name', 'email', 'password']} />
    </FormDialog>
  )
}

/** Lets somebody in: they choose their own password with the link they get. */
export const InviteDialog = ({ onClose }: { onClose: () => void }) => {
  const { data, isPending } = useQuery({ queryKey: ['settings'], queryFn: () => api.settingsGet() })
  // It opens once it is known what it says, so that it does not grow under the pointer.
  return !isPending && <InviteForm hasMail={data?.values.mail?.host !== ''} onClose={onClose} />
}
