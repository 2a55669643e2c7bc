import { Anchor, Button, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { CopyField } from '#web/kit/CopyButton.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'

interface InvitationLinkProps {
  name: string
  link: string
  onClose: () => void
}

/** The only sight of the link of an invitation that could not be sent by email. */
export const InvitationLink = ({ name, link, onClose }: InvitationLinkProps) => (
  <Dialog title={`Send ${name} this link`} onClose={onClose} footer={<Button onClick={onClose}>Done</Button>}>
    <Stack gap="md">
      <Text size="sm">
        We couldn't email the invitation. Copy the link now. It is shown once, works once, and expires in seven days.
      </Text>
      <CopyField label="Link" value={link} />
      <Text size="sm" c="dimmed">
        Anyone with this link can set the password, so send it privately.{' '}
        <Anchor component={Link} to="/settings#mail" inherit underline="always">
          Set up email
        </Anchor>
      </Text>
    </Stack>
  </Dialog>
)
