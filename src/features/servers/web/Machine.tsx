import { Anchor, Button } from '@mantine/core'
import { Link } from 'react-router'
import type { Server, ServerInfo } from '#features/servers/contract.ts'
import { useTimeZone } from '#web/session.ts'
import { bytesText } from '#web/ui/bytes.ts'
import { Card } from '#web/ui/Card.tsx'
import { counted } from '#web/ui/counted.ts'
import { Facts } from '#web/ui/Facts.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Section } from '#web/ui/Section.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { duration, fullTime, relativeTime } from '#web/ui/time.ts'
import { StackParts } from './StackParts.tsx'
import { useAskAgain, useServerInfo } from './use-servers.ts'

const freeOf = (free: number | null, total: number | null) =>
  free === null || total === null ? null : `${bytesText(free)} of ${bytesText(total)} free`

const sitesOf = ({ id, sites }: Server) =>
  sites === 0 ? (
    'None yet'
  ) : (
    <Anchor component={Link} to={`/sites?serverId=${id}`} size="sm">
      {counted(sites, 'site')}
    </Anchor>
  )

const factsOf = (server: Server, info: ServerInfo, timeZone: string | undefined) =>
  [
    ['System', info.os],
    ['Kernel', info.kernel],
    ['Processor', info.cpus === null ? null : `${counted(info.cpus, 'CPU')}, ${info.arch}`],
    ['Memory', freeOf(info.memAvailableBytes, info.memTotalBytes)],
    ['Disk of the sites', freeOf(info.diskFreeBytes, info.diskTotalBytes)],
    ['Runs for', info.uptimeSeconds === null ? null : duration(info.uptimeSeconds * 1000)],
    ['Calls itself', info.hostname],
    ['Public address', server.publicIp],
    ['New sites below', server.devDomain],
    ['Sites', sitesOf(server)],
    ['Set up', server.provisionedAt === null ? null : fullTime(server.provisionedAt, timeZone)],
    ['Last heard of', server.lastSeenAt === null ? null : relativeTime(server.lastSeenAt, Date.now())],
  ] as const

/** What the machine is and what runs on it, as it says itself. */
export const Machine = ({ server }: { server: Server }) => {
  const info = useServerInfo(server.id)
  const again = useAskAgain(server.id)
  const timeZone = useTimeZone()
  return (
    <>
      <Section
        title="Machine"
        about={info.data ? `As it said ${relativeTime(info.data.checkedAt, info.dataUpdatedAt)}.` : ' '}
        actions={
          <Button variant="default" size="xs" loading={again.isPending} onClick={() => again.mutate()}>
            Ask again
          </Button>
        }
      >
        <Card>
          <Loaded query={info} skeleton={<Skeleton height="9rem" />}>
            {data => <Facts facts={factsOf(server, data, timeZone)} />}
          </Loaded>
        </Card>
      </Section>
      {info.data?.reachable && <StackParts info={info.data} />}
    </>
  )
}
