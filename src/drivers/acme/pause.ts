import { setTimeout as wait } from 'node:timers/promises'

/** Waits, or throws the abort's own reason at once. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  await wait(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}

/** The time a `Retry-After` names, given in seconds or as a date. */
export const retryAfter = (header: string | null, now: number): number | undefined => {
  if (header === null) return undefined
  const at = /^\d{1,9}$/.test(header) ? now + Number(header) * 1000 : Date.parse(header)
  return Number.isNaN(at) ? undefined : at
}
