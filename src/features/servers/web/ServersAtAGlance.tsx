import type { QueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Server } from '#features/servers/contract.ts'
import { serversOptions, useServers } from '#web/client/servers.ts'
import { counted } from '#web/kit/counted.ts'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Meter } from '#web/kit/Meter.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Status } from '#web/kit/Status.tsx'
import classes from './ServersAtAGlance.module.css'
import { shareOf } from './share.ts'
import { serverStatus } from './status.ts'
import { type ServerUse, useServerUse } from './use-servers.ts'

const Glance = ({ server, use }: { server: Server; use: ServerUse | undefined }) => (
  <li className={classes.server}>
    <div className={classes.head}>
      <Link to={`/servers/${server.id}`} className={classes.name}>
        {server.name}
      </Link>
      <Status {...serverStatus(server, use?.reachable ?? null)} />
    </div>
    <div className={classes.sites}>{counted(server.sites, 'site')}</div>
    <div className={classes.meters}>
      <Meter label="CPU" share={use?.cpuShare ?? null} />
      <Meter label="Memory" {...shareOf(use?.memUsedBytes, use?.memTotalBytes)} />
      <Meter label="Disk" {...shareOf(use?.diskUsedBytes, use?.diskTotalBytes)} />
    </div>
  </li>
)

export const prepare = (queryClient: QueryClient) => queryClient.ensureQueryData(serversOptions)

/** Every server with how busy and how full it is, on Home. */
export const Part = () => {
  const servers = useServers()
  const useOf = useServerUse()
  return (
    <Section title="Servers">
      <Loaded query={servers}>
        {({ items }) => (
          <ul className={classes.grid}>
            {items.map(server => (
              <Glance key={server.id} server={server} use={useOf(server.id)} />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  )
}
