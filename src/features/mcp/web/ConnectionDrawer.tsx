import { Alert, Anchor } from '@mantine/core'
import { IconUserOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ActivityTable } from '#features/panel/web/index.ts'
import { LEVEL_NAMES } from '#platform/contract/level.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Facts } from '#web/kit/Facts.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { When } from '#web/kit/When.tsx'
import type { Connection } from '../contract.ts'
import { api } from './api.ts'
import classes from './ConnectionDrawer.module.css'
import { ConnectionForm } from './ConnectionForm.tsx'
import { PauseOrRevoke } from './PauseOrRevoke.tsx'
import { useConnections } from './use-connections.ts'

const LATEST = 10

const LatestCalls = ({ id }: { id: string }) => {
  const query = useQuery({
    queryKey: ['connections', id, 'activity'],
    queryFn: () => api.mcpConnectionActivity({ params: { id }, query: { limit: LATEST } }),
  })
  return (
    <Section
      title="Recent calls"
      actions={
        <Anchor component={Link} to={`/settings/activity?keyId=${id}`} size="sm">
          All calls
        </Anchor>
      }
    >
      <Loaded query={query}>
        {({ items }) => (
          <ActivityTable
            items={items}
            now={query.dataUpdatedAt}
            kind="short"
            empty={<p className={classes.none}>No calls yet, or none recent enough to be kept.</p>}
          />
        )}
      </Loaded>
    </Section>
  )
}

/** A connection never does more than who created it may. */
const WhyStopped = ({ connection: { creator, createdBy } }: { connection: Connection }) =>
  creator === 'active' ? null : (
    <Alert variant="light" color="red" p="sm" icon={<IconUserOff aria-hidden="true" />}>
      {creator === 'locked'
        ? `Stopped because ${createdBy} is locked. It continues when they are unlocked.`
        : `Stopped permanently because ${createdBy} no longer has access. Revoke it, then connect the app again.`}
    </Alert>
  )

interface ViewProps {
  connection: Connection
  now: number
  onClose: () => void
}

const ConnectionView = ({ connection, now, onClose }: ViewProps) => (
  <div className={classes.view}>
    <WhyStopped connection={connection} />
    <Facts
      facts={[
        ['Access', LEVEL_NAMES[connection.access]],
        ['Signs in', connection.signIn === 'token' ? `With a token, ${connection.tokenStart}…` : 'Through the browser'],
        ['App', connection.client ?? 'Not used yet'],
        ['Created', <When key="created" at={connection.createdAt} now={now} />],
        ['Created by', connection.createdBy],
        [
          'Last used',
          connection.lastUsedAt === null ? 'Never' : <When key="used" at={connection.lastUsedAt} now={now} />,
        ],
        ['Last used from', connection.lastUsedFrom ?? undefined],
      ]}
    />
    <PauseOrRevoke connection={connection} onRevoked={onClose} />
    <ConnectionForm connection={connection} />
    <LatestCalls id={connection.id} />
  </div>
)

/** One connection next to the list: what it may do, what it did, and its end. */
export const ConnectionDrawer = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const query = useConnections()
  const found = query.data?.items.find(connection => connection.id === id)
  return (
    <Dialog kind="side" title={found?.name ?? 'AI connection'} onClose={onClose}>
      <Loaded query={query}>
        {() =>
          found ? (
            <ConnectionView connection={found} now={query.dataUpdatedAt} onClose={onClose} />
          ) : (
            <p>This connection doesn't exist or was revoked.</p>
          )
        }
      </Loaded>
    </Dialog>
  )
}
