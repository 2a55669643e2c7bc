import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { Server } from '#features/servers/contract.ts'
import { api } from '#web/api.ts'
import { ConfirmButton } from '#web/ui/Confirm.tsx'
import { useFollowJob } from '#web/ui/use-follow-job.ts'

const EFFECTS = [
  'Docker, the edge, the database and the firewall become what this panel expects; what is right already stays.',
  'Sites go on. Where the edge or the database is replaced, they pause for some seconds.',
  'When it fails, what was new is taken away again.',
]

/** Sets a server up, for the first time or once more. */
export const SetUpAgain = ({ server }: { server: Server }) => {
  const follow = useFollowJob()
  const [asRoot, setAsRoot] = useState(false)
  const isFirst = server.provisionedAt === null
  const body = asRoot ? { rootUser: 'root' as const } : {}
  return (
    <ConfirmButton
      label={isFirst ? 'Set it up' : 'Set it up again'}
      ask="set-up"
      disabled={server.status === 'provisioning'}
      title={isFirst ? `Set up ${server.name}?` : `Set up ${server.name} again?`}
      verb={isFirst ? 'Set it up' : 'Set it up again'}
      effects={
        isFirst ? ['Docker, the edge, the database and the firewall are installed. It takes a few minutes.'] : EFFECTS
      }
      act={() => follow(api.serverReprovision({ params: { id: server.id }, body }), { show: true })}
    >
      {!server.own && server.sshUser !== 'root' && (
        <Checkbox
          label={`Sign in as root this time, to give ${server.sshUser} its rights again`}
          checked={asRoot}
          onChange={event => setAsRoot(event.currentTarget.checked)}
        />
      )}
    </ConfirmButton>
  )
}
