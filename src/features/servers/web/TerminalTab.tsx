import { lazy, Suspense } from 'react'
import type { Server } from '#features/servers/contract.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'

const TerminalScreen = lazy(async () => ({ default: (await import('./TerminalScreen.tsx')).TerminalScreen }))

/** A root shell in the browser. What draws it is fetched when the first one is opened. */
export const TerminalTab = ({ server }: { server: Server }) => (
  <Suspense fallback={<Skeleton height="24rem" />}>
    <TerminalScreen key={server.id} server={server} />
  </Suspense>
)
