import { KnownError } from '#platform/contract/known-error.ts'

/** Why a running job is asked to stop; the reason of its abort signal. */
export class Stop extends KnownError {
  readonly kind: 'canceled' | 'timeout' | 'lease-lost'

  constructor(kind: Stop['kind'], message: string) {
    super(message)
    this.kind = kind
  }

  get code(): Stop['kind'] {
    return this.kind
  }
}

/** A step waits for something that needs no lane, such as an image being built: other jobs run in the meantime. */
export class TryLater extends Error {
  readonly waitMs: number

  constructor(message: string, waitMs: number) {
    super(message)
    this.waitMs = waitMs
  }
}

/** How long a step may take to notice that it should stop before the job continues without it. */
const GRACE_MS = 3000

/** The work, or the signal's reason once it is aborted and the work has had its grace. */
export const stoppable = async (work: Promise<void>, signal: AbortSignal): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  let onAbort = () => {}
  const abandoned = new Promise<never>((_, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(signal.reason as Error), GRACE_MS)
    }
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    await Promise.race([work, abandoned])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
