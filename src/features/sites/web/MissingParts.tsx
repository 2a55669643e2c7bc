import { Alert, Button, Group } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Site } from '#features/sites/contract.ts'

const PARTS: Record<NonNullable<Site['missing']>, string> = {
  all: 'Its files and its database are no longer on its server.',
  files: 'Its files are no longer on its server. Its database is still there.',
  database: 'Its database is missing, or was not restored completely. Its files are still there.',
}

interface MissingPartsProps {
  slug: string
  missing: NonNullable<Site['missing']>
}

/** What a lost server or an interrupted restore has left of a site, and the way back. */
export const MissingParts = ({ slug, missing }: MissingPartsProps) => (
  <Alert color="red" variant="light" p="sm" mb="md" icon={<IconAlertCircle aria-hidden="true" />}>
    <Group justify="space-between">
      {PARTS[missing]}
      <Button component={Link} to={`/sites/${slug}/backups`} size="xs">
        Restore a backup
      </Button>
    </Group>
  </Alert>
)
