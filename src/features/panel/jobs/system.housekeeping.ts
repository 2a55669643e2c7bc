import { z } from 'zod'
import { defineJob } from '#platform/jobs/job-type.ts'
import { namedLane } from '#platform/jobs/lane.ts'

export const systemHousekeeping = defineJob<Record<string, never>, Record<string, never>, Record<string, never>>({
  type: 'system.housekeeping',
  label: 'Housekeeping',
  description: 'Deletes old jobs, old activity log entries, and expired links and sessions.',
  category: 'system',
  internal: true,
  timeoutMs: 60 * 60_000,
  input: z.strictObject({}),
  result: z.strictObject({}),
  target: () => ({}),
  lanes: () => [namedLane('housekeeping')],
  steps: [
    {
      id: 'tidy-up',
      label: 'Cleaning up',
      async run(context) {
        for (const answer of await context.events.raise(context, 'housekeeping', {})) context.say(answer)
      },
    },
  ],
  finish: () => ({}),
})
