import { Anchor, Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Server, ServerInfo } from '#features/servers/contract.ts'
import { bytesText } from '#web/kit/bytes.ts'
import { Card } from '#web/kit/Card.tsx'
import { counted } from '#web/kit/counted.ts'
import { Facts } from '#web/kit/Facts.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { duration, minuteTime, relativeTime } from '#web/kit/time.ts'
import { useTimeZone } from '#web/kit/time-zone.ts'
import classes from './Machine.module.css'
import { Unreachable } from './Trouble.tsx'
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

type Fact = readonly [name: string, value: ReactNode]

const SAID: readonly (readonly [name: string, of: (info: ServerInfo) => string | null])[] = [
  ['System', ({ os }) => os],
  ['Kernel', ({ kernel }) => kernel],
  ['Processor', ({ cpus, arch }) => (cpus === null ? null : `${counted(cpus, 'CPU')}, ${arch}`)],
  ['Memory', ({ memAvailableBytes, memTotalBytes }) => freeOf(memAvailableBytes, memTotalBytes)],
  ['Disk', ({ diskFreeBytes, diskTotalBytes }) => freeOf(diskFreeBytes, diskTotalBytes)],
  ['Uptime', ({ uptimeSeconds }) => (uptimeSeconds === null ? null : duration(uptimeSeconds * 1000))],
  ['Hostname', ({ hostname }) => hostname],
]

/** What the machine says, whose place is kept while it is asked, and what the panel knows. */
const factsOf = (server: Server, info: ServerInfo | undefined, timeZone: string | undefined): Fact[] => [
  ...SAID.map(([name, of]): Fact => [name, info ? of(info) : '…']),
  ['Public address', server.publicIp],
  ['Default domain', server.devDomain],
  ['Sites', sitesOf(server)],
  ['Set up', server.provisionedAt === null ? null : minuteTime(server.provisionedAt, timeZone)],
  ['Last seen', server.lastSeenAt === null ? null : relativeTime(server.lastSeenAt, Date.now())],
]

const askedText = ({ reachable, checkedAt }: ServerInfo, now: number) =>
  `${reachable ? 'Updated' : 'Tried'} ${relativeTime(checkedAt, now)}.`

/** What the machine is and what runs on it, as it says itself. */
export const Machine = ({ server }: { server: Server }) => {
  const info = useServerInfo(server.id)
  const again = useAskAgain(server.id)
  const timeZone = useTimeZone()
  return (
    <Section
      title="Machine"
      about={info.data ? askedText(info.data, info.dataUpdatedAt) : ' '}
      actions={
        <Button variant="default" size="xs" loading={again.isPending} onClick={() => again.mutate()}>
          Refresh
        </Button>
      }
    >
      <Card>
        <Loaded query={info} skeleton={<Facts facts={factsOf(server, undefined, timeZone)} />}>
          {data => (
            <div className={classes.said}>
              {!data.reachable && <Unreachable server={server} info={data} />}
              <Facts facts={factsOf(server, data, timeZone)} />
            </div>
          )}
        </Loaded>
      </Card>
    </Section>
  )
}
