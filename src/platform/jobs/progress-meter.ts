import type { JobProgress } from '#platform/contract/job.ts'

const STORE_EVERY_MS = 1000

/** How far a step is. A step may report as often as it likes; the newest figure is stored at most once a second. */
export class ProgressMeter {
  #step: symbol | undefined
  #newest: JobProgress | undefined
  #timer: NodeJS.Timeout | undefined
  #lastStore = 0
  readonly #store: (progress: JobProgress) => Promise<void>

  constructor(store: (progress: JobProgress) => Promise<void>) {
    this.#store = store
  }

  /** For one step. What it reports after its end, from work it left behind, is ignored. */
  begin(): (progress: JobProgress) => void {
    const step = Symbol('step')
    this.#step = step
    return progress => {
      if (this.#step === step) this.#report(progress)
    }
  }

  #report({ done, total, unit }: JobProgress): void {
    // What is copied may grow in the meantime; nothing is ever more than done.
    this.#newest = { done: Math.min(done, total), total, unit }
    const waitMs = Math.max(0, this.#lastStore + STORE_EVERY_MS - Date.now())
    this.#timer ??= setTimeout(() => this.#storeNewest(), waitMs)
  }

  /** The step is over, and with it its figure. */
  clear(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#newest = undefined
    this.#step = undefined
  }

  #storeNewest(): void {
    this.#timer = undefined
    this.#lastStore = Date.now()
    // A figure that could not be stored is followed by another one, or by the end of the job.
    if (this.#newest) void this.#store(this.#newest).catch(() => {})
  }
}
