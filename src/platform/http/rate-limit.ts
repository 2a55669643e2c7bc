import { Problem } from '#platform/contract/problem.ts'

/** Counts requests per caller in fixed windows: exactly so many pass, the rest learn how long to wait. */
export class RateLimit {
  readonly #requests: number
  readonly #windowMs: number
  readonly #now: () => number
  readonly #seen = new Map<string, { count: number; ends: number }>()
  #nextSweep = 0

  constructor(limit: { requests: number; windowMs: number }, now: () => number) {
    this.#requests = limit.requests
    this.#windowMs = limit.windowMs
    this.#now = now
  }

  take(caller: string): void {
    const now = this.#now()
    if (now >= this.#nextSweep) this.#sweep(now)
    const window = this.#seen.get(caller)
    if (!window || window.ends <= now) {
      this.#seen.set(caller, { count: 1, ends: now + this.#windowMs })
      return
    }
    window.count += 1
    if (window.count <= this.#requests) return
    const seconds = Math.max(1, Math.ceil((window.ends - now) / 1000))
    const per = Math.round(this.#windowMs / 1000)
    throw new Problem(
      'rate_limited',
      `More than ${this.#requests} requests in ${per} s. Wait ${seconds} s, then try again.`,
      null,
      { retryAfterSeconds: seconds },
    )
  }

  /** Callers that went away do not stay in memory. */
  #sweep(now: number) {
    for (const [caller, window] of this.#seen) if (window.ends <= now) this.#seen.delete(caller)
    this.#nextSweep = now + this.#windowMs
  }
}
