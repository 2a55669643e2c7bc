import { Problem } from '#platform/contract/problem.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'

/** Shorter than what the edge lets a visitor wait. */
const LIMIT_MS = 120_000

/** Visitors wait in the meantime: what takes too long is given up while they still can be answered. */
export const withinHold = async (
  { signal }: Pick<StepContext, 'signal'>,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> => {
  const limit = AbortSignal.timeout(LIMIT_MS)
  try {
    await work(AbortSignal.any([signal, limit]))
  } catch (error) {
    signal.throwIfAborted()
    if (!limit.aborted) throw error
    throw new Problem(
      'conflict',
      `Copying the latest changes took longer than ${LIMIT_MS / 1000} s. Try again when the site is less busy.`,
    )
  }
}
