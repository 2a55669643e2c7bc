import { type Actions, type Condition, lasting, passing } from '#web/client/can.ts'
import { type Site, sites } from '../contract.ts'

const noJobRuns: Condition<Site> = ({ jobId }) =>
  jobId === null ? undefined : passing('A job is running on this site. Wait until it ends.')

const isRunning: Condition<Site> = ({ status }) =>
  status === 'running' ? undefined : lasting('The site is not running.')

const isStopped: Condition<Site> = ({ status }) =>
  status === 'stopped' ? undefined : lasting('The site is not stopped.')

const isSettled: Condition<Site> = ({ status }) =>
  status === 'running' || status === 'stopped' ? undefined : passing('The site is being created or deleted.')

const canServe: Condition<Site> = ({ status }) =>
  status === 'running' ? undefined : passing('Start the site first. Domains can only be changed while it is running.')

/** What a lost job left can always be deleted, and a deletion that failed is started again. */
const canBeDeleted: Condition<Site> = site =>
  site.interrupted !== null || site.status === 'deleting' ? undefined : isSettled(site)

/** Reconciling finishes a creation that was interrupted. */
const canBeReconciled: Condition<Site> = site => (site.interrupted === 'create' ? undefined : isSettled(site))

const noMoveIsInterrupted: Condition<Site> = ({ interrupted }) =>
  interrupted === 'move' ? passing('A move of this site was interrupted. Reconcile the site first.') : undefined

const hasMoved: Condition<Site> = ({ parkedOn }) =>
  parkedOn === null ? lasting('No move of this site is waiting to be finished.') : undefined

const noMoveIsOpen: Condition<Site> = ({ parkedOn }) =>
  parkedOn === null ? undefined : passing('The last move of this site is not finished. Finish it first.')

/** What can be done to a site, and when: buttons, bulk actions and the palette all ask here. */
export const siteActions: Actions<typeof sites, Site> = {
  contract: sites,
  conditions: {
    siteStart: [isStopped, noJobRuns],
    siteStop: [isRunning, noJobRuns],
    siteRestart: [isRunning, noJobRuns],
    sitePhp: [isSettled, noJobRuns],
    siteReconcile: [canBeReconciled, noJobRuns],
    siteMove: [isSettled, noMoveIsInterrupted, noMoveIsOpen, noJobRuns],
    siteMoveFinalize: [hasMoved, isSettled, noJobRuns],
    siteDelete: [canBeDeleted, noJobRuns],
    siteDomainsUpdate: [canServe, noJobRuns],
    siteGoLive: [canServe, noJobRuns],
  },
}
