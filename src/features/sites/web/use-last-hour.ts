import { useQuery } from '@tanstack/react-query'
import { readHistory } from './use-sites.ts'

const FRESH_MS = 5 * 60_000
/** A screenful at once, then 80 a minute: the panel answers 300 questions in a minute, and other parts ask too. */
const TURN_MS = 750
const AT_ONCE = 20

let nextTurn = 0

const waitForTurn = async (signal: AbortSignal): Promise<void> => {
  const now = Date.now()
  nextTurn = Math.max(nextTurn, now - AT_ONCE * TURN_MS) + TURN_MS
  const waitMs = nextTurn - now
  if (waitMs <= 0) return
  await new Promise(resolve => {
    const timer = setTimeout(resolve, waitMs)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      nextTurn -= TURN_MS
      resolve(undefined)
    })
  })
  signal.throwIfAborted()
}

/** What a site used in the last hour. One request a site, so only those in sight ask, and rarely again. */
export const useLastHour = (slug: string, now: number) =>
  useQuery({
    queryKey: ['sites', 'last-hour', slug, Math.floor(now / FRESH_MS)],
    queryFn: async ({ signal }) => {
      await waitForTurn(signal)
      return (await readHistory(slug, 1)).points
    },
    // A job that ends somewhere must not ask for all of them again.
    staleTime: 'static',
    placeholderData: before => before,
  })
