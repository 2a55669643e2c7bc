import { setTimeout as sleep } from 'node:timers/promises'
import { HostError } from '#platform/host/errors.ts'
import type { Step, StepContext } from '#platform/jobs/job-type.ts'

/** A machine that restarts, or a network that is cut for a while, is back within this. */
const RUN_LIMIT_MS = 120_000
/** Anyone who waits for a failed job to end waits for this, too. */
const UNDO_LIMIT_MS = 30_000
const PAUSE_MS = 1_000

/** Steps may run twice, so one that lost its server, or Docker, the database or the edge on it, is run again when that is back. */
export const retryWhileAway = <I, S>(step: Step<I, S>): Step<I, S> => {
  const { run, undo } = step
  return {
    ...step,
    run: context => whileAway(context, RUN_LIMIT_MS, () => run(context)),
    ...(undo && { undo: (context: StepContext<I, S>) => whileAway(context, UNDO_LIMIT_MS, () => undo(context)) }),
  }
}

/** Counted from the first loss, so that a server that comes and goes does not hold the job for ever. */
const whileAway = async <I, S>(
  { signal, say }: StepContext<I, S>,
  limitMs: number,
  act: () => Promise<void>,
): Promise<void> => {
  let lostAt: number | undefined
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof HostError && error.isPassing)) throw error
      if (lostAt === undefined) say(`${error.message}; waiting for it.`)
      lostAt ??= performance.now()
      if (performance.now() - lostAt > limitMs) throw error
    }
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}
