import { setTimeout as sleep } from 'node:timers/promises'

const PAUSE_MS = 100

/** Asks again and again until it is so. */
export const until = async (what: string, isSo: () => Promise<boolean>, limitMs: number): Promise<void> => {
  const endsAt = performance.now() + limitMs
  while (!(await isSo())) {
    if (performance.now() > endsAt) throw new Error(`${what} took more than ${limitMs / 1000} s.`)
    await sleep(PAUSE_MS)
  }
}
