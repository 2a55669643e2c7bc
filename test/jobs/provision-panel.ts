/**
 * A real panel as a child process that kills itself with -9 at the Nth boundary of setting a server up. It takes its
 * orders from the environment, says on stdout what it accepted, and ends by itself when no job is active any more.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { buildPanel } from '#app/panel.ts'
import { systemActor } from '#app/world.ts'
import { serverProvision } from '#features/servers/jobs/server.provision.ts'
import { readConfig } from '#platform/config/config.ts'
import { countJobs } from '#platform/jobs/job-store.ts'

const order = JSON.parse(process.env.FAULT_ORDER ?? '{}') as {
  killAt?: number
  /** Counted from the boundary. */
  killAfterMs?: number
  provision?: number
}
let boundaries = 0
const die = () => process.kill(process.pid, 'SIGKILL')

const panel = await buildPanel(readConfig(process.env), {
  log: pino({ level: 'error' }),
  engine: {
    boundary: () => {
      boundaries += 1
      if (boundaries !== order.killAt) return
      if (order.killAfterMs === undefined) die()
      else setTimeout(die, order.killAfterMs)
    },
  },
})
if (order.provision !== undefined) {
  const { jobs } = panel.world.scope(systemActor('test'))
  const { id } = await jobs.enqueue(serverProvision, { serverId: order.provision })
  process.stdout.write(`accepted ${id}\n`)
}
await panel.engine.start()
for (;;) {
  const counts = await countJobs(panel.foundation.database.db)
  if (!counts.some(({ status }) => status === 'queued' || status === 'running')) break
  await sleep(20)
}
process.stdout.write(`idle ${boundaries}\n`)
await panel.close()
process.exit(0)
