/** One of several panels on one PostgreSQL: works through the shared queue until it is empty. */
import { appendFileSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { z } from 'zod'
import { buildPanel } from '#app/panel.ts'
import { systemActor } from '#app/world.ts'
import { readConfig } from '#platform/config/config.ts'
import { countJobs } from '#platform/jobs/job-store.ts'
import { defineJob } from '#platform/jobs/job-type.ts'
import { namedLane } from '#platform/jobs/lane.ts'

const folder = process.env.EFFECTS_FOLDER ?? ''
const enqueue = Number(process.env.ENQUEUE ?? 0)

const byteJob = defineJob<{ number: number }, Record<string, never>, Record<string, never>>({
  type: 'test.byte',
  label: 'One byte',
  description: 'Adds one byte to a file of its own, unless it has.',
  category: 'test',
  timeoutMs: 60_000,
  input: z.strictObject({ number: z.number() }),
  result: z.strictObject({}),
  target: () => ({}),
  lanes: ({ number }) => [namedLane(`lane-${number % 40}`)],
  steps: [
    {
      id: 'write',
      label: 'Writing',
      async run({ jobId }) {
        const file = join(folder, jobId)
        const done = existsSync(file) && statSync(file).size > 0
        await sleep(5)
        if (!done) appendFileSync(file, 'x')
      },
    },
  ],
  finish: () => ({}),
})

const panel = await buildPanel(readConfig(process.env), { extraJobs: [byteJob], log: pino({ level: 'error' }) })
const { jobs } = panel.world.scope(systemActor('test'))
for (let number = 0; number < enqueue; number += 1) {
  const { id } = await jobs.enqueue(byteJob, { number })
  process.stdout.write(`accepted ${id}\n`)
}
process.stdout.write('ready\n')
await new Promise(resolve => process.stdin.once('data', resolve))
await panel.engine.start()
for (;;) {
  const active = (await countJobs(panel.foundation.database.db)).filter(
    ({ status }) => status === 'queued' || status === 'running',
  )
  if (active.length === 0) break
  await sleep(50)
}
await panel.close()
process.exit(0)
