import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { Id } from '#platform/contract/identifiers.ts'
import { TERMINAL } from '#platform/contract/job.ts'
import { findJob } from '#platform/jobs/job-store.ts'
import { answerOf } from './data.ts'
import { defineTool, READS, type ToolUse } from './tool.ts'

const LOOK_EVERY_MS = 300
/** Apps give up on an answer after a minute. */
const LONGEST_S = 50

/** Whether it has ended; what is shown of it still comes through the door. */
const hasEnded = async ({ scope }: ToolUse, id: string): Promise<boolean> => {
  const row = await findJob(scope.db, id)
  return !row || TERMINAL.includes(row.status)
}

const waitUntilEnded = async (use: ToolUse, id: string, seconds: number): Promise<void> => {
  const giveUpAt = performance.now() + seconds * 1000
  while (!(await hasEnded(use, id)) && performance.now() < giveUpAt)
    await delay(LOOK_EVERY_MS, undefined, { signal: use.signal })
}

export const waitForJob = defineTool({
  name: 'wait_for_job',
  title: 'Wait for a job',
  description: `Waits until a job has ended, at most ${LONGEST_S} s, and shows its status, result and log. If it still runs, call again with logAfter set to lastSeq.`,
  reach: 'read',
  hints: READS,
  input: z.strictObject({
    job: Id,
    seconds: z.int().min(0).max(LONGEST_S).optional().describe('default 30'),
    logAfter: z.int().min(0).optional(),
    offset: z.int().min(0).optional().describe('where to read on'),
  }),
  async run({ job, seconds = 30, logAfter = 0, offset = 0 }, use) {
    const show = () => use.call({ method: 'GET', url: `/api/jobs/${job}?logAfter=${logAfter}` })
    const before = await show()
    const more = { offset, readOn: 'Repeat the call with offset {offset}.' }
    if (before.status >= 400) return answerOf('jobGet', before, more)
    await waitUntilEnded(use, job, seconds)
    return answerOf('jobGet', await show(), more)
  },
})
