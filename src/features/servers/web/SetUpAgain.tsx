import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { Server } from '#features/servers/contract.ts'
import { useCan } from '#web/client/can.ts'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { api } from './api.ts'
import { serverActions } from './can.ts'

const EFFECTS = [
  'Docker, the edge, the database and the firewall are updated where needed.',
  'Sites keep running. They pause for a few seconds if the edge or the database is replaced.',
  'If it fails, the changes are rolled back.',
]

/** Sets a server up, for the first time or once more. */
export const SetUpAgain = ({ server }: { server: Server }) => {
  const follow = useFollowJob()
  const [asRoot, setAsRoot] = useState(false)
  const isFirst = server.provisionedAt === null
  const body = asRoot ? { rootUser: 'root' as const } : {}
  return (
    <ConfirmButton
      label={isFirst ? 'Set up' : 'Set up again'}
      ask="set-up"
      refusal={useCan(serverActions)('serverReprovision', server).reason}
      title={isFirst ? `Set up ${server.name}?` : `Set up ${server.name} again?`}
      verb={isFirst ? 'Set up' : 'Set up again'}
      effects={
        isFirst ? ['Docker, the edge, the database and the firewall are installed. It takes a few minutes.'] : EFFECTS
      }
      act={() => follow(api.serverReprovision({ params: { id: server.id }, body }), { show: true })}
    >
      {!server.own && server.sshUser !== 'root' && (
        <Checkbox
          label={`Sign in as root this time, to restore the rights of ${server.sshUser}`}
          checked={asRoot}
          onChange={event => setAsRoot(event.currentTarget.checked)}
        />
      )}
    </ConfirmButton>
  )
}
