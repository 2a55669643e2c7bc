import type { Site } from '#features/sites/contract.ts'
import { type Actions, type Condition, lasting, passing } from '#web/client/can.ts'
import { type Backup, backups } from '../contract.ts'

/** What is acted on: a backup, or the site it is of where that exists. */
interface Subject {
  site?: Site | undefined
  backup?: Backup
}

const siteExists: Condition<Subject> = ({ site }) =>
  site ? undefined : lasting('The site was deleted. Download the backup instead.')

const noJobRuns: Condition<Subject> = ({ site }) =>
  site?.jobId ? passing('A job is running on this site. Wait until it ends.') : undefined

const isSettled: Condition<Subject> = ({ site }) =>
  site?.status === 'running' || site?.status === 'stopped'
    ? undefined
    : passing('The site is being created or deleted.')

const isOnServer: Condition<Subject> = ({ backup }) =>
  backup?.onServer === false ? passing('This backup is only offsite. Fetch it back first.') : undefined

const isOnlyOffsite: Condition<Subject> = ({ backup }) =>
  backup?.onServer === false ? undefined : lasting('This backup is on its server.')

const hasGoodCopy: Condition<Subject> = ({ backup }) =>
  backup?.copies.some(({ status }) => status === 'good') ? undefined : passing('It has no good copy to fetch.')

/** What can be done to backups, and when. */
export const backupActions: Actions<typeof backups, Subject> = {
  contract: backups,
  conditions: {
    backupCreate: [siteExists, isSettled, noJobRuns],
    backupRestore: [siteExists, isOnServer, isSettled, noJobRuns],
    backupDownload: [isOnServer],
    backupCopy: [isOnServer],
    backupFetch: [isOnlyOffsite, hasGoodCopy],
  },
}
