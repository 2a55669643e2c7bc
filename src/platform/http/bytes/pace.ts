/** How much has to move in a while, so that no one holds a connection for ever. */
export interface Pace {
  windowMs: number
  minBytes: number
}

interface Flow {
  /** How many bytes have moved so far. */
  moved(): number
  /** Whether it is the other end that we wait for: a slow panel is not the caller's fault. */
  waitsForCaller(): boolean
}

/** Calls `tooSlow` once when the caller falls behind; returns how to stop watching. */
export const watchPace = (flow: Flow, { windowMs, minBytes }: Pace, tooSlow: () => void): (() => void) => {
  let before = flow.moved()
  let waited = flow.waitsForCaller()
  const watching = setInterval(() => {
    const now = flow.moved()
    const waits = flow.waitsForCaller()
    if (waited && waits && now - before < minBytes) {
      clearInterval(watching)
      tooSlow()
    }
    before = now
    waited = waits
  }, windowMs)
  watching.unref()
  return () => clearInterval(watching)
}
