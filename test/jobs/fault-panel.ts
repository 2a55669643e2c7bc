/**
 * A real panel as a child process that kills itself with -9 at the Nth boundary of its jobs. It takes its orders from the
 * environment, says on stdout what it accepted, and ends by itself when no job is active any more.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { buildPanel } from '#app/panel.ts'
import { systemActor } from '#app/world.ts'
import { readConfig } from '#platform/config/config.ts'
import { countJobs } from '#platform/jobs/job-store.ts'
import { bulkJob, type ItemPoint } from './bulk-job.ts'
import { effectsJob } from './effects-job.ts'

const order = JSON.parse(process.env.FAULT_ORDER ?? '{}') as {
  killAt?: number
  killAfterMs?: number
  ledger: string
  enqueue?: (number | null)[]
  /** Changed by one job. */
  items?: string[]
  killAtItem?: { point: ItemPoint; item: string }
}
const die = () => process.kill(process.pid, 'SIGKILL')
const bulk = bulkJob((point, item) => {
  if (point === order.killAtItem?.point && item === order.killAtItem.item) die()
})
let boundaries = 0

const panel = await buildPanel(readConfig(process.env), {
  extraJobs: [effectsJob, bulk],
  log: pino({ level: 'error' }),
  engine: {
    boundary: () => {
      boundaries += 1
      if (boundaries === order.killAt) die()
    },
  },
})
if (order.killAfterMs !== undefined) setTimeout(die, order.killAfterMs)
const { jobs } = panel.world.scope(systemActor('test'))
for (const [index, failAt] of (order.enqueue ?? []).entries()) {
  const { id } = await jobs.enqueue(effectsJob, { ledger: order.ledger, lane: `lane-${index % 2}`, failAt })
  process.stdout.write(`accepted ${id} ${failAt === null ? 'succeeded' : 'failed'}\n`)
}
if (order.items) {
  const { id } = await jobs.enqueue(bulk, { ledger: order.ledger, items: order.items })
  process.stdout.write(`accepted ${id} succeeded\n`)
}
await panel.listen()
for (;;) {
  const active = (await countJobs(panel.foundation.database.db)).filter(
    ({ status }) => status === 'queued' || status === 'running',
  )
  if (active.length === 0) break
  await sleep(20)
}
process.stdout.write(`idle ${boundaries}\n`)
await panel.close()
process.exit(0)
