/** Why a running job is asked to stop; the reason of its abort signal. */
export class Stop extends Error {
  readonly kind: 'canceled' | 'timeout' | 'lease-lost'

  constructor(kind: Stop['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

/** How long a step may take to notice that it should stop before the job goes on without it. */
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
