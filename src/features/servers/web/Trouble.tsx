import { Alert, Anchor, Button } from '@mantine/core'
import { IconAlertCircle, IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Server, ServerInfo } from '#features/servers/contract.ts'
import { useCan } from '#web/client/can.ts'
import { sentence } from '#web/kit/field-errors.ts'
import { Prose } from '#web/kit/Prose.tsx'
import { serverActions } from './can.ts'
import { SetUpAgain } from './SetUpAgain.tsx'
import classes from './Trouble.module.css'

const kinds = {
  bad: { color: 'red', icon: IconAlertCircle },
  warning: { color: 'orange', icon: IconAlertTriangle },
  note: { color: 'indigo', icon: IconInfoCircle },
} as const

interface NewsProps {
  kind: keyof typeof kinds
  title: string
  text?: string | null
  children?: ReactNode
}

const News = ({ kind, title, text, children }: NewsProps) => {
  const { color, icon: Sign } = kinds[kind]
  return (
    <Alert color={color} variant="light" icon={<Sign aria-hidden="true" />}>
      <div className={classes.news}>
        <div className={classes.words}>
          <strong>{title}</strong>
          {text && (
            <div>
              <Prose text={sentence(text)} />
            </div>
          )}
        </div>
        {children}
      </div>
    </Alert>
  )
}

/** Why the panel does not reach a server. */
export const Unreachable = ({ server, info: { problem, reason } }: { server: Server; info: ServerInfo }) => {
  const can = useCan(serverActions)
  return (
    <News
      kind="bad"
      title={`Can't reach ${server.name}`}
      text={problem?.replace(`can't reach ${server.name}: `, '') ?? null}
    >
      {reason === 'host_key_changed' && can('serverUpdate', server).isOffered && (
        <Button component={Link} to={`/servers/${server.id}/settings#host-key`} variant="default" size="xs">
          Compare keys
        </Button>
      )}
    </News>
  )
}

/** What is wrong with how a server is set up. */
export const SetupNews = ({ server }: { server: Server }) => {
  const can = useCan(serverActions)
  const button = can('serverReprovision', server).isOffered && <SetUpAgain server={server} />
  if (server.problem !== null)
    return (
      <News kind="bad" title="The last setup failed" text={server.problem}>
        <Anchor component={Link} to={`/jobs?type=server.provision&serverId=${server.id}`} size="sm">
          View log
        </Anchor>
        {button}
      </News>
    )
  if (server.provisionedAt === null)
    return (
      <News
        kind="note"
        title={`${server.name} is not set up`}
        text="Set it up to install Docker, the edge, the database and the firewall. Then it can host sites."
      >
        {button}
      </News>
    )
  if (server.upToDate) return null
  return (
    <News
      kind="warning"
      title="This server needs an update"
      text="Set it up again to update the edge, the database and the firewall. Its sites keep running."
    >
      {button}
    </News>
  )
}
