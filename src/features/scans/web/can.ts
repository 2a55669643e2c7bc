import type { Site } from '#features/sites/contract.ts'
import { type Actions, type Condition, lasting, passing } from '#web/client/can.ts'
import { type Finding, type QuarantineItem, type SiteScan, scans } from '../contract.ts'

/** What is acted on: a site, and one of its findings or files in quarantine. */
interface Subject {
  site: Site
  scan?: SiteScan
  finding?: Finding
  item?: QuarantineItem
}

const isRunning: Condition<Subject> = ({ site }) =>
  site.status === 'running' ? undefined : passing('The site is not running. Start it first.')

const isSettled: Condition<Subject> = ({ site }) =>
  site.status === 'running' || site.status === 'stopped' ? undefined : passing('The site is being created or deleted.')

const noJobRuns: Condition<Subject> = ({ site }) =>
  site.jobId ? passing('A job is running on this site. Wait until it ends.') : undefined

const noScanRuns: Condition<Subject> = ({ scan }) =>
  scan?.scanning ? passing('The site is being scanned. Wait until the scan ends.') : undefined

const hasStatus =
  (status: Finding['status']): Condition<Subject> =>
  ({ finding }) =>
    finding?.status === status ? undefined : lasting(`The finding is ${finding?.status}.`)

const belongsToItem: Condition<Subject> = ({ finding }) =>
  finding?.item ? undefined : lasting('It belongs to nothing that can be downloaded again.')

const isOfPanel: Condition<Subject> = ({ finding }) =>
  finding?.canPutBack ? undefined : lasting("It isn't a file of the panel.")

const isKept: Condition<Subject> = ({ item }) => (item?.status === 'kept' ? undefined : lasting('It is over.'))

/** What can be done about scans and what they find, and when. */
export const scanActions: Actions<typeof scans, Subject> = {
  contract: scans,
  conditions: {
    siteScanStart: [isSettled, noScanRuns],
    findingIgnore: [hasStatus('open')],
    findingUnignore: [hasStatus('ignored')],
    findingResolve: [hasStatus('open')],
    findingReinstall: [hasStatus('open'), belongsToItem, isRunning, noJobRuns],
    findingPutBack: [hasStatus('open'), isOfPanel, isRunning, noJobRuns, noScanRuns],
    findingQuarantine: [hasStatus('open'), isSettled, noJobRuns],
    quarantineRestore: [isKept, isSettled, noJobRuns],
    quarantineDelete: [isKept],
  },
}
