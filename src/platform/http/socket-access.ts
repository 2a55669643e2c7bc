import { Problem } from '#platform/contract/problem.ts'

const EVERY_MS = 1_500
const UNANSWERED_AT_MOST = 2

/**
 * Asks again and again whether the caller may still be here, until the signal aborts. `refuse` is called at most 5 s
 * after the answer became no, also when the question itself fails or is not answered at all.
 */
export const watchAccess = (confirm: () => Promise<void>, refuse: () => void, signal: AbortSignal): void => {
  let unanswered = 0
  const ask = async () => {
    unanswered += 1
    try {
      await confirm()
      unanswered = 0
    } catch (error) {
      if (error instanceof Problem) refuse()
    }
  }
  const asking = setInterval(() => {
    if (unanswered >= UNANSWERED_AT_MOST) refuse()
    else void ask()
  }, EVERY_MS)
  signal.addEventListener('abort', () => clearInterval(asking), { once: true })
}
