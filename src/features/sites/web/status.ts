import type { Site } from '#features/sites/contract.ts'
import type { Tone } from '#web/kit/Status.tsx'

interface Standing {
  word: string
  tone: Tone
}

const INTERRUPTED = { create: 'Partly created', move: 'Partly moved', delete: 'Partly deleted' } as const

const MISSING = { all: 'Missing', files: 'Files missing', database: 'Database missing' } as const

/** How a site stands. `up` is what the monitor last found; null or undefined while it does not know. */
export const siteStatus = ({ status, jobId, interrupted, missing }: Site, up?: boolean | null): Standing => {
  if (interrupted !== null) return { word: INTERRUPTED[interrupted], tone: 'bad' }
  if (status === 'creating') return { word: 'Creating', tone: 'busy' }
  if (status === 'deleting') return { word: 'Deleting', tone: 'busy' }
  if (jobId !== null) return { word: 'Updating', tone: 'busy' }
  if (missing !== null) return { word: MISSING[missing], tone: 'bad' }
  if (status === 'stopped') return { word: 'Stopped', tone: 'idle' }
  return up === false ? { word: 'Down', tone: 'bad' } : { word: 'Running', tone: 'good' }
}
