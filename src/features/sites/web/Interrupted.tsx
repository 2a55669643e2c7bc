import { Alert, Anchor } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Site } from '#features/sites/contract.ts'
import { useMay } from '#web/client/session.ts'

const STATES: Record<NonNullable<Site['interrupted']>, string> = {
  create: 'Creating this site was interrupted. Reconcile it to finish. Nothing is deleted.',
  move: 'Moving this site was interrupted. Reconcile it to complete the move or roll it back.',
  delete: 'Deleting this site was interrupted. Delete it again to remove the rest.',
}

interface InterruptedProps {
  slug: string
  interrupted: NonNullable<Site['interrupted']>
}

/** What a lost job left of a site, and the acts that put it right. */
export const Interrupted = ({ slug, interrupted }: InterruptedProps) => {
  const may = useMay()
  const settings = `/sites/${slug}/settings`
  return (
    <Alert color="red" variant="light" p="sm" mb="md" icon={<IconAlertCircle aria-hidden="true" />}>
      {STATES[interrupted]}{' '}
      {may('manage') && interrupted !== 'delete' && (
        <Anchor component={Link} to={`${settings}?ask=reconcile`} inherit>
          Reconcile
        </Anchor>
      )}{' '}
      {may('full') && (
        <Anchor component={Link} to={`${settings}?ask=delete`} inherit>
          Delete
        </Anchor>
      )}
    </Alert>
  )
}
