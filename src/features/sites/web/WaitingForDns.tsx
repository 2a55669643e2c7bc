import { Alert } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'

/** A site whose own domains are not here yet, and the record to set. */
export const WaitingForDns = ({ reason }: { reason: string }) => (
  <Alert color="blue" variant="light" p="sm" mb="md" icon={<IconClock aria-hidden="true" />} title="Waiting for DNS">
    {reason}
  </Alert>
)
