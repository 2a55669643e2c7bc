import cronstrue from 'cronstrue'
import type { Schedule } from '../contract.ts'

/** `At 03:00, only on Monday`. */
export const cronInWords = (cron: string): string => {
  try {
    return cronstrue.toString(cron, { use24HourTimeFormat: true })
  } catch {
    return cron
  }
}

export const planInWords = ({ cron, timezone }: Pick<Schedule, 'cron' | 'timezone'>): string =>
  `${cronInWords(cron)} (${timezone})`

const listed = (title: string, items: readonly (string | number)[]) =>
  items.length === 0 ? [] : [`${title} ${items.join(', ')}`]

export const targetsInWords = (
  targets: Schedule['targets'],
  serverName: (id: number) => string,
): string | undefined => {
  if (!targets) return undefined
  if (targets.all) return 'All sites'
  const { servers, labels, sites } = targets
  return [
    ...listed('Sites on', servers.map(serverName)),
    ...listed('Sites labeled', labels),
    ...listed('Sites', sites),
  ].join('; ')
}

export interface Outcome {
  tone: 'good' | 'busy' | 'bad' | 'idle'
  word: string
}

/** How the last run went. */
export const outcomeOf = ({ lastRun }: Pick<Schedule, 'lastRun'>): Outcome => {
  if (!lastRun) return { tone: 'idle', word: 'Never run' }
  const { queued, running, succeeded, failed, canceled } = lastRun.jobs
  if (queued + running + lastRun.waiting.length > 0) return { tone: 'busy', word: 'Running' }
  if (failed > 0) return { tone: 'bad', word: succeeded > 0 ? `${failed} of ${failed + succeeded} failed` : 'Failed' }
  if (canceled > 0) return { tone: 'idle', word: 'Canceled' }
  return succeeded > 0 ? { tone: 'good', word: 'Succeeded' } : { tone: 'idle', word: 'Nothing to do' }
}
