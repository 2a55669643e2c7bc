import type { Site } from '#features/sites/contract.ts'
import { type Actions, type Condition, passing } from '#web/client/can.ts'
import { files } from '../contract.ts'

const noJobRuns: Condition<Site> = ({ jobId }) =>
  jobId === null ? undefined : passing('A job is running on this site. Wait until it ends.')

/** What can be done to the files of a site that runs, and when. */
export const fileActions: Actions<typeof files, Site> = {
  contract: files,
  conditions: { fileExtract: [noJobRuns], fileCompress: [noJobRuns] },
}
