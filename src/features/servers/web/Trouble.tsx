import { Alert, Anchor, Button } from '@mantine/core'
import { IconAlertCircle, IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Server } from '#features/servers/contract.ts'
import { useMay } from '#web/session.ts'
import { Prose } from '#web/ui/Prose.tsx'
import { SetUpAgain } from './SetUpAgain.tsx'
import classes from './Trouble.module.css'
import { useAskAgain, useServerInfo } from './use-servers.ts'

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
              <Prose text={text} />
            </div>
          )}
        </div>
        {children}
      </div>
    </Alert>
  )
}

const Unreachable = ({
  server,
  problem,
  reason,
}: {
  server: Server
  problem: string | null
  reason: string | null
}) => {
  const again = useAskAgain(server.id)
  const may = useMay()
  return (
    <News kind="bad" title={`The panel cannot reach ${server.name}`} text={problem}>
      {reason === 'host_key_changed' && may('full') ? (
        <Button component={Link} to={`/servers/${server.id}/settings#host-key`} variant="default" size="xs">
          Compare the keys
        </Button>
      ) : (
        <Button variant="default" size="xs" loading={again.isPending} onClick={() => again.mutate()}>
          Ask again
        </Button>
      )}
    </News>
  )
}

const SetupNews = ({ server }: { server: Server }) => {
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

/** What is wrong with a server, with the button that mends it. */
export const Trouble = ({ server }: { server: Server }) => {
  const { data: info } = useServerInfo(server.id)
  return (
    <>
      {info?.reachable === false && <Unreachable server={server} problem={info.problem} reason={info.reason} />}
      <SetupNews server={server} />
    </>
  )
}
