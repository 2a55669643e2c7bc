import { Alert, Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { z } from 'zod'
import type { panel } from '#features/panel/contract.ts'
import { LEVEL_NAMES } from '#platform/contract/level.ts'
import { CopyField } from '#web/kit/CopyButton.tsx'
import classes from './MadeKey.module.css'

export type Made = z.infer<typeof panel.keyCreate.reply>

/** The token of a new key, and how to use it. */
export const MadeKey = ({ made: { key, token } }: { made: Made }) => (
  <div className={classes.made}>
    <Alert variant="light" p="sm" icon={<IconKey aria-hidden="true" />} title="Copy the token now">
      It won't be shown again: the panel stores only a hash of it. Anyone who has it can do what{' '}
      {LEVEL_NAMES[key.access]} allows.
    </Alert>
    <CopyField label="Token" value={token} />
    <CopyField
      label="Try it"
      value={`curl -H "Authorization: Bearer $TOKEN" ${window.location.origin}/api/auth/session`}
    />
    <div className={classes.actions}>
      <Button component={Link} to="/settings/keys">
        I have copied it
      </Button>
      <Button component={Link} to={`/settings/activity?keyId=${key.id}`} variant="default">
        View its activity
      </Button>
    </div>
  </div>
)
