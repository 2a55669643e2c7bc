import type { Job, JobOrigin, JobStatus } from '#platform/contract/job.ts'
import { progressText } from '#platform/contract/progress-text.ts'
import { bytesText } from '#web/kit/bytes.ts'
import type { Tone } from '#web/kit/Status.tsx'
import { duration } from '#web/kit/time.ts'

export const statuses: Record<JobStatus, { word: string; tone: Tone }> = {
  queued: { word: 'Waiting', tone: 'idle' },
  running: { word: 'Running', tone: 'busy' },
  succeeded: { word: 'Succeeded', tone: 'good' },
  failed: { word: 'Failed', tone: 'bad' },
  canceled: { word: 'Canceled', tone: 'warning' },
}

export const statusOf = ({ status, undoing, cancelRequested }: Job): { word: string; tone: Tone } => {
  if (status === 'running' && undoing) return { word: 'Rolling back', tone: 'warning' }
  if (status === 'running' && cancelRequested) return { word: 'Stopping', tone: 'warning' }
  return statuses[status]
}

export const origins: Record<JobOrigin, string> = {
  api: 'API',
  panel: 'Panel',
  schedule: 'Schedule',
  system: 'Fleetpress',
  mcp: 'AI connection',
}

type ServerName = (id: number) => string

const numbered: ServerName = id => `Server ${id}`

/** Where a job acts. */
export const placeOf = ({ siteSlug, serverId }: Job, serverName = numbered): string | undefined =>
  siteSlug ?? (serverId === null ? undefined : serverName(serverId))

/** What a running job does now, and how far that is where the job knows. */
export const stepOf = ({ status, step, undoing, stepsDone, stepsTotal, progress }: Job): string | undefined => {
  if (status !== 'running' || step === null) return undefined
  const which = undoing ? step : `${step} (${Math.min(stepsDone + 1, stepsTotal)} of ${stepsTotal})`
  return progress === null ? which : `${which} · ${progressText(progress, bytesText)}`
}

export const personOf = ({ startedBy, origin }: Job): string => startedBy ?? origins[origin]

/** How long it ran, up to now while it runs. */
export const tookOf = ({ startedAt, finishedAt }: Job, now: number): string =>
  startedAt === null ? '' : duration(Math.max(0, (finishedAt ?? now) - startedAt))

/** `server:1` and the like, as people say it. */
export const laneName = (lane: string, serverName: ServerName): string => {
  const [kind, name = '', server] = lane.split(':')
  if (kind === 'server') return serverName(Number(name))
  if (kind === 'name') return server === undefined ? name : `${name} on ${serverName(Number(server))}`
  return 'The panel'
}
