import { Anchor, Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Server, ServerInfo } from '#features/servers/contract.ts'
import { useTimeZone } from '#web/session.ts'
import { bytesText } from '#web/ui/bytes.ts'
import { Card } from '#web/ui/Card.tsx'
import { counted } from '#web/ui/counted.ts'
import { Facts } from '#web/ui/Facts.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Section } from '#web/ui/Section.tsx'
import { duration, fullTime, relativeTime } from '#web/ui/time.ts'
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
  ['Disk of the sites', ({ diskFreeBytes, diskTotalBytes }) => freeOf(diskFreeBytes, diskTotalBytes)],
  ['Runs for', ({ uptimeSeconds }) => (uptimeSeconds === null ? null : duration(uptimeSeconds * 1000))],
  ['Calls itself', ({ hostname }) => hostname],
]

/** What the machine says, whose place is kept while it is asked, and what the panel knows. */
const factsOf = (server: Server, info: ServerInfo | undefined, timeZone: string | undefined): Fact[] => [
  ...SAID.map(([name, of]): Fact => [name, info ? of(info) : '…']),
  ['Public address', server.publicIp],
  ['New sites below', server.devDomain],
  ['Sites', sitesOf(server)],
  ['Set up', server.provisionedAt === null ? null : fullTime(server.provisionedAt, timeZone)],
  ['Last heard of', server.lastSeenAt === null ? null : relativeTime(server.lastSeenAt, Date.now())],
]

const askedText = ({ reachable, checkedAt }: ServerInfo, now: number) =>
  `${reachable ? 'As it said' : 'It was asked'} ${relativeTime(checkedAt, now)}.`

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
          Ask again
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
