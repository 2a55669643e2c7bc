import type { Site } from '#features/sites/contract.ts'
import type { Tone } from '#web/ui/Status.tsx'

interface Standing {
  word: string
  tone: Tone
}

/** How a site stands. `up` is what the monitor last found; null or undefined while it does not know. */
export const siteStatus = ({ status, jobId }: Site, up?: boolean | null): Standing => {
  if (status === 'creating') return { word: 'Being created', tone: 'busy' }
  if (status === 'deleting')
    return jobId === null ? { word: 'Half deleted', tone: 'bad' } : { word: 'Being deleted', tone: 'busy' }
  if (jobId !== null) return { word: 'Being changed', tone: 'busy' }
  if (status === 'stopped') return { word: 'Stopped', tone: 'idle' }
  return up === false ? { word: 'Down', tone: 'bad' } : { word: 'Running', tone: 'good' }
}
