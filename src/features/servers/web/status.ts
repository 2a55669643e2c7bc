import type { Server } from '#features/servers/contract.ts'
import type { Tone } from '#web/ui/Status.tsx'

/** How a server stands. `reachable` says whether it answers; null until somebody asked. */
export const serverStatus = ({ status }: Server, reachable: boolean | null): { word: string; tone: Tone } => {
  if (status === 'provisioning') return { word: 'Being set up', tone: 'busy' }
  if (status === 'failed') return { word: 'Setup failed', tone: 'bad' }
  if (status === 'new') return { word: 'Not set up', tone: 'idle' }
  return reachable === false ? { word: 'Silent', tone: 'bad' } : { word: 'Ready', tone: 'good' }
}
