import { Alert, Anchor, Button } from '@mantine/core'
import { IconAlertCircle, IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Server, ServerInfo } from '#features/servers/contract.ts'
import { useMay } from '#web/session.ts'
import { sentence } from '#web/ui/field-errors.ts'
import { Prose } from '#web/ui/Prose.tsx'
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
  const may = useMay()
  return (
    <News kind="bad" title={`The panel cannot reach ${server.name}`} text={problem}>
      {reason === 'host_key_changed' && may('full') && (
        <Button component={Link} to={`/servers/${server.id}/settings#host-key`} variant="default" size="xs">
          Compare the keys
        </Button>
      )}
    </News>
  )
}

/** What is wrong with how a server is set up. */
export const SetupNews = ({ server }: { server: Server }) => {
  const may = useMay()
  const button = may('full') && <SetUpAgain server={server} />
  if (server.problem !== null)
    return (
      <News kind="bad" title="The last setup failed" text={server.problem}>
        <Anchor component={Link} to={`/jobs?type=server.provision&serverId=${server.id}`} size="sm">
          See its log
        </Anchor>
        {button}
      </News>
    )
  if (server.provisionedAt === null)
    return (
      <News
        kind="note"
        title={`${server.name} is not set up`}
        text="It can hold sites once Docker, the edge, the database and the firewall are there."
      >
        {button}
      </News>
    )
  if (server.upToDate) return null
  return (
    <News
      kind="warning"
      title="What runs on it is older than this panel"
      text="Its sites go on. Set it up again to bring the edge, the database and the firewall up to date."
    >
      {button}
    </News>
  )
}
