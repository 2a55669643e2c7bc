import { setTimeout as sleep } from 'node:timers/promises'

const PAUSE_MS = 100
/** What takes long is asked for less often: each question takes time from what it waits for. */
const SHARE = 0.05
const PAUSE_MAX_MS = 1_000

/** Asks again and again until it is so. */
export const until = async (what: string, isSo: () => Promise<boolean>, limitMs: number): Promise<void> => {
  const beganAt = performance.now()
  while (!(await isSo())) {
    const passed = performance.now() - beganAt
    if (passed > limitMs) throw new Error(`${what} took more than ${limitMs / 1000} s.`)
    await sleep(Math.min(Math.max(PAUSE_MS, passed * SHARE), PAUSE_MAX_MS))
  }
}
