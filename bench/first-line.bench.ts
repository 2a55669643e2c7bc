import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { z } from 'zod'
import { buildPanel } from '#app/panel.ts'
import { systemActor } from '#app/world.ts'
import { readConfig } from '#platform/config/config.ts'
import { defineJob } from '#platform/jobs/job-type.ts'
import { namedLane } from '#platform/jobs/lane.ts'
import { listLogLines } from '#platform/jobs/log-store.ts'
import { median, report } from './report.ts'

const TIMES = 200

const noop = defineJob<Record<string, never>, Record<string, never>, Record<string, never>>({
  type: 'bench.noop',
  label: 'Nothing',
  description: 'Does nothing.',
  category: 'bench',
  timeoutMs: 60_000,
  input: z.strictObject({}),
  result: z.strictObject({}),
  target: () => ({}),
  lanes: () => [namedLane('bench')],
  steps: [{ id: 'nothing', label: 'Nothing', run: async () => {} }],
  finish: () => ({}),
})

const dataDir = mkdtempSync(join(tmpdir(), 'fleetpress-bench-'))
const panel = await buildPanel(readConfig({ FLEETPRESS_DATA: dataDir }), {
  extraJobs: [noop],
  log: pino({ level: 'error' }),
})
try {
  await panel.engine.start()
  const { jobs, db } = panel.world.scope(systemActor('bench'))
  const taken: number[] = []
  for (let count = 0; count < TIMES; count += 1) {
    const began = performance.now()
    const { id } = await jobs.enqueue(noop, {})
    while ((await listLogLines(db, id, 0, 1)).length === 0) await new Promise(resolve => setImmediate(resolve))
    taken.push(performance.now() - began)
    await sleep(10)
  }
  report('first-line', [
    {
      name: 'enqueue to the first log line of a job that does nothing, median',
      unit: 'ms',
      ours: median(taken),
      limit: { atMost: 20 },
    },
  ])
} finally {
  await panel.close()
  rmSync(dataDir, { recursive: true, force: true })
}
