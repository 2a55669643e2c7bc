import type { Site } from '#features/sites/contract.ts'
import { type Actions, type Condition, passing } from '#web/client/can.ts'
import { ftp } from '../contract.ts'

const isSettled: Condition<Site> = ({ status }) =>
  status === 'running' || status === 'stopped' ? undefined : passing('The site is being created or deleted.')

/** What can be done to the logins of a site, and when. */
export const ftpActions: Actions<typeof ftp, Site> = { contract: ftp, conditions: { ftpUserCreate: [isSettled] } }
