import { randomInt } from 'node:crypto'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const ATTEMPTS_A_MINUTE = 10

export interface Lifetime {
  notBefore: number
  notAfter: number
}

export interface RenewalWindow {
  startAt: number
  endAt: number
}

/** From 0 up to, but not including, 1. */
export type Chance = () => number

const chance: Chance = () => randomInt(2 ** 32) / 2 ** 32

/** A random moment of the window the authority suggests, else two thirds of the lifetime; never its last tenth. */
export const renewAt = ({ notBefore, notAfter }: Lifetime, window?: RenewalWindow, random: Chance = chance): number => {
  const lifetimeMs = notAfter - notBefore
  const latest = notAfter - lifetimeMs / 10
  const wished = window ? window.startAt + random() * (window.endAt - window.startAt) : notBefore + (lifetimeMs * 2) / 3
  return Math.floor(Math.min(wished, latest))
}

/**
 * When to try again after so many failed attempts: a minute, then twice as long each time, a day at most. While a
 * certificate lives no wait is longer than a twelfth of what is left of it.
 */
export const nextAttempt = (attempts: number, now: number, notAfter: number | null = null): number => {
  const waitMs = Math.min(MINUTE_MS * 2 ** Math.min(Math.max(attempts - 1, 0), 20), DAY_MS)
  if (notAfter === null || notAfter <= now) return now + waitMs
  return now + Math.max(MINUTE_MS, Math.min(waitMs, Math.floor((notAfter - now) / 12)))
}

export type Attempt = { recent: number[] } | { waitUntil: number }

/** Ten attempts in any minute: the list with this one added, or when there is room for it. */
export const takeAttempt = (earlier: readonly number[], now: number): Attempt => {
  // One from the future was noted by a clock that has since been set back.
  const recent = earlier.filter(at => at > now - MINUTE_MS && at <= now)
  const oldest = recent.at(-ATTEMPTS_A_MINUTE)
  return oldest === undefined ? { recent: [...recent, now] } : { waitUntil: oldest + MINUTE_MS }
}
