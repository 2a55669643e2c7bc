import type { Job } from '#platform/contract/job.ts'
import { TERMINAL } from '#platform/contract/job.ts'
import { type Actions, lasting, passing } from '#web/client/can.ts'
import { jobs } from '../contract.ts'

/** What can be done about a job, and when. */
export const jobActions: Actions<typeof jobs, Job> = {
  contract: jobs,
  conditions: {
    jobCancel: [
      ({ status }) => (TERMINAL.includes(status) ? lasting('The job has ended.') : undefined),
      ({ cancelRequested, retryAt }) =>
        cancelRequested && retryAt === null ? passing('The job is being canceled.') : undefined,
    ],
  },
}
