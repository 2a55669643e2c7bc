import type { Server } from '#features/servers/contract.ts'
import type { Tone } from '#web/kit/Status.tsx'

/** How a server stands. `reachable` says whether it answers; null until someone asked. */
export const serverStatus = ({ status }: Server, reachable: boolean | null): { word: string; tone: Tone } => {
  if (status === 'provisioning') return { word: 'Setting up', tone: 'busy' }
  if (status === 'failed') return { word: 'Setup failed', tone: 'bad' }
  if (status === 'new') return { word: 'Not set up', tone: 'idle' }
  return reachable === false ? { word: 'Unreachable', tone: 'bad' } : { word: 'Ready', tone: 'good' }
}
