import { Alert, Anchor, TextInput } from '@mantine/core'
import { IconMailOff } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { admins } from '#features/admins/contract.ts'
import { settingsOptions } from '#features/panel/web/index.ts'
import { EmailField } from '#web/kit/EmailField.tsx'
import { FormDialog } from '#web/kit/FormDialog.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { showToast } from '#web/kit/toasts.ts'
import { useFirstFocus } from '#web/kit/use-first-focus.ts'
import { useForm } from '#web/kit/use-form.ts'
import { api } from './api.ts'
import { InvitationLink } from './InvitationLink.tsx'
import { OwnPasswordField } from './OwnPasswordField.tsx'

/** Said before it is sent. */
const NoMailYet = () => (
  <Alert color="orange" variant="light" p="sm" icon={<IconMailOff aria-hidden="true" />}>
    No SMTP server is set. The relay of this server sends the email, or you get a link to send yourself.{' '}
    <Anchor component={Link} to="/settings#mail" inherit underline="always">
      Set up email
    </Anchor>
  </Alert>
)

interface InviteFormProps {
  hasMail: boolean
  /** With the link, where no email could be sent. */
  onInvited: (name: string, link: string | null) => void
  onClose: () => void
}

const InviteForm = ({ hasMail, onInvited, onClose }: InviteFormProps) => {
  const queryClient = useQueryClient()
  const firstField = useFirstFocus()
  const form = useForm({ name: '', email: '', password: '' }, async ({ name, email, password }) => {
    const body = checked(admins.adminInvite.body, { name: name.trim(), email: email.trim(), password })
    const { link } = await api.adminInvite({ body })
    await queryClient.invalidateQueries({ queryKey: ['admins'] })
    onInvited(body.name, link)
  })
  return (
    <FormDialog
      title="Invite an admin"
      verb={hasMail ? 'Send invitation' : 'Create invitation'}
      onClose={onClose}
      {...form}
    >
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
        description="They get a link to set a password, and have the same rights as you."
        {...form.text('email')}
        autoComplete="off"
      />
      <OwnPasswordField {...form.text('password')} />
      <FormError key={form.failures} problem={form.problem} fields={['name', 'email', 'password']} />
    </FormDialog>
  )
}

/** Lets someone in: they choose their own password with the link they get. */
export const InviteDialog = ({ onClose }: { onClose: () => void }) => {
  const { data, isPending } = useQuery(settingsOptions)
  const [unsent, setUnsent] = useState<{ name: string; link: string }>()
  const show = (name: string, link: string | null) => {
    if (link !== null) return setUnsent({ name, link })
    showToast({ tone: 'good', text: `${name} invited. The link works for seven days.` })
    return onClose()
  }
  if (unsent) return <InvitationLink {...unsent} onClose={onClose} />
  // It opens once it is known what it says, so that it does not grow under the pointer.
  return !isPending && <InviteForm hasMail={data?.values.mail?.host !== ''} onInvited={show} onClose={onClose} />
}
