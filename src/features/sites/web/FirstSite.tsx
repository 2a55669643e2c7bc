import { Button } from '@mantine/core'
import { IconPlus, IconRocket } from '@tabler/icons-react'
import type { QueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { NoServer } from '#features/servers/web/index.ts'
import { useCan } from '#web/client/can.ts'
import { serversOptions, useServers } from '#web/client/servers.ts'
import { Card } from '#web/kit/Card.tsx'
import { Empty } from '#web/kit/Empty.tsx'
import { siteActions } from './can.ts'

export const prepare = (queryClient: QueryClient) => queryClient.ensureQueryData(serversOptions)

const useHasSites = () => !useServers().data?.items.every(({ sites }) => sites === 0)

/** The way to a new site, from Home, once there is one. */
export const Action = () => {
  const can = useCan(siteActions)
  const hasSites = useHasSites()
  if (!hasSites || !can('siteCreate').isOffered) return null
  return (
    <Button component={Link} to="/sites/new" size="xs" leftSection={<IconPlus size={14} aria-hidden="true" />}>
      Create site
    </Button>
  )
}

/** On Home until there is a site: what to do first. */
export const Part = () => {
  const can = useCan(siteActions)
  const hasSites = useHasSites()
  const servers = useServers().data?.items ?? []
  if (hasSites || !can('siteCreate').isOffered) return null
  if (!servers.some(({ status }) => status === 'ready')) return <NoServer />
  return (
    <Card flush>
      <Empty
        icon={IconRocket}
        title="Create your first site"
        action={
          <Button component={Link} to="/sites/new">
            Create site
          </Button>
        }
      >
        It comes with WordPress, a database and an address. You don't need a domain to start.
      </Empty>
    </Card>
  )
}
