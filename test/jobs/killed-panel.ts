/**
 * A real panel as a child process that kills itself with -9 at the Nth boundary of a job. It takes its orders from the
 * environment, says on stdout which job it was given, and ends by itself when no job is active any more.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { readConfig } from '#platform/config/config.ts'
import { countJobs } from '#platform/jobs/job-store.ts'
import type { KillOrder } from '../support/killed-panel.ts'
import { testPanel } from '../support/panel.ts'

const order = JSON.parse(process.env.FAULT_ORDER ?? '{}') as KillOrder
let boundaries = 0
const die = () => process.kill(process.pid, 'SIGKILL')

const panel = await testPanel({
  config: readConfig(process.env),
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
if (order.ask) {
  const { endpoint, request } = order.ask
  const client: Record<string, unknown> = panel.as('full')
  const ask = client[endpoint] as (request: object) => Promise<{ job: { id: string } }>
  const { job } = await ask(request)
  process.stdout.write(`accepted ${job.id}\n`)
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
