import { Link } from 'react-router'
import type { Server } from '#features/servers/contract.ts'
import { counted } from '#web/ui/counted.ts'
import { Meter } from '#web/ui/Meter.tsx'
import { Status } from '#web/ui/Status.tsx'
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

/** Every server with how busy and how full it is. */
export const ServersAtAGlance = ({ servers }: { servers: readonly Server[] }) => {
  const useOf = useServerUse()
  return (
    <ul className={classes.grid}>
      {servers.map(server => (
        <Glance key={server.id} server={server} use={useOf(server.id)} />
      ))}
    </ul>
  )
}
