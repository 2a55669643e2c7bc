import type { Job } from './job.ts'

const PARTICIPLES: Readonly<Record<string, string>> = {
  'Back up': 'backed up',
  'Set up': 'set up',
  Add: 'added',
  Apply: 'applied',
  Call: 'called',
  Change: 'changed',
  Check: 'checked',
  Clear: 'cleared',
  Clone: 'cloned',
  Compress: 'compressed',
  Copy: 'copied',
  Create: 'created',
  Delete: 'deleted',
  Extract: 'extracted',
  Fetch: 'fetched',
  Finish: 'finished',
  Install: 'installed',
  Move: 'moved',
  Reconcile: 'reconciled',
  Reinstall: 'reinstalled',
  Remove: 'removed',
  Reset: 'reset',
  Restart: 'restarted',
  Restore: 'restored',
  Run: 'run',
  Scan: 'scanned',
  Start: 'started',
  Stop: 'stopped',
  Update: 'updated',
}

const VERBS = Object.keys(PARTICIPLES)

type EndedJob = Pick<Job, 'label' | 'siteSlug'>

const upper = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** `Create site` for shop-one is about `shop-one`, `Change PHP version` about `PHP version`, on shop-one. */
const partsOf = ({ label, siteSlug }: EndedJob) => {
  const verb = VERBS.find(known => label.startsWith(`${known} `)) ?? ''
  const object = label.slice(verb.length + 1)
  const isSite = object === 'site' && siteSlug !== null
  return {
    verb,
    object: isSite ? siteSlug : object,
    isSite,
    place: siteSlug === null || isSite ? '' : ` on ${siteSlug}`,
  }
}

/** `shop-one deleted`, `PHP version changed on shop-one`. */
export const succeededText = (job: EndedJob): string => {
  const { verb, object, isSite, place } = partsOf(job)
  return verb === ''
    ? `${job.label} finished${place}`
    : `${isSite ? object : upper(object)} ${PARTICIPLES[verb]}${place}`
}

/** `Couldn't create shop-one`, `Couldn't change PHP version on shop-one`. */
export const failedText = (job: EndedJob): string => {
  const { verb, object, place } = partsOf(job)
  return verb === '' ? `${job.label} failed${place}` : `Couldn't ${verb.toLowerCase()} ${object}${place}`
}
