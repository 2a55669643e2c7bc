import { HostError, HostUnreachable } from '../errors.ts'
import type { Worker } from './worker.ts'

interface Waiter {
  resolve(worker: Worker): void
  reject(error: unknown): void
}

/** sshd allows ten sessions in one connection; the guard is one of them, and one is left for what is just closing. */
const WORKERS_MAX = 8
/** So many shells wait for commands that no one has given yet. */
const SPARE = 3
const RETRY_MS = 100
const RETRY_MAX_MS = 60_000
const GIVE_UP_MS = 5_000

/** The shells of one connection: some ready before they are needed, so many at once, the others in order. */
export class Workers {
  readonly #host: string
  readonly #open: () => Promise<Worker>
  readonly #ready: Worker[] = []
  readonly #waiting = new Set<Waiter>()
  #max = WORKERS_MAX
  #opening = 0
  #busy = 0

  #retry: NodeJS.Timeout | undefined
  #retryMs = RETRY_MS

  constructor(host: string, open: () => Promise<Worker>) {
    this.#host = host
    this.#open = open
  }

  /** A shell for one command, and the function that says it is done with, which may be called twice. */
  async take(signal: AbortSignal): Promise<{ worker: Worker; release: () => void }> {
    signal.throwIfAborted()
    const worker = await this.#next(signal)
    let isHeld = true
    const release = () => {
      if (isHeld) {
        this.#busy -= 1
        this.#fill()
      }
      isHeld = false
    }
    return { worker, release }
  }

  /** No one will be given a shell any more. */
  fail(error: unknown): void {
    clearTimeout(this.#retry)
    for (const { reject } of this.#waiting) reject(error)
    this.#waiting.clear()
  }

  #next(signal: AbortSignal): Promise<Worker> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.delete(waiter)
        reject(signal.reason)
      }
      const waiter: Waiter = {
        resolve: worker => {
          signal.removeEventListener('abort', onAbort)
          resolve(worker)
        },
        reject,
      }
      signal.addEventListener('abort', onAbort, { once: true })
      this.#waiting.add(waiter)
      this.#match()
      this.#fill()
    })
  }

  #match(): void {
    for (const waiter of this.#waiting) {
      const worker = this.#ready.shift()
      if (worker === undefined) return
      this.#waiting.delete(waiter)
      this.#busy += 1
      waiter.resolve(worker)
    }
  }

  #fill(): void {
    const coming = () => this.#ready.length + this.#opening
    while (coming() < this.#waiting.size + SPARE && coming() + this.#busy < this.#max) void this.#add()
  }

  async #add(): Promise<void> {
    this.#opening += 1
    try {
      const worker = await this.#open()
      this.#opening -= 1
      this.#retryMs = RETRY_MS
      this.#ready.push(worker)
      worker.channel.once('close', () => this.#drop(worker))
      this.#match()
    } catch (error) {
      this.#opening -= 1
      this.#refused(error)
    }
  }

  /** A server may allow fewer sessions than usual, or still count some that have just ended: it is asked again later. */
  #refused(error: unknown): void {
    if (error instanceof HostError) return this.fail(error)
    const open = this.#busy + this.#ready.length + this.#opening
    if (open === 0 && this.#retryMs > GIVE_UP_MS) return this.fail(new HostUnreachable(this.#host, error))
    this.#max = Math.max(1, open)
    if (this.#retry !== undefined) return
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      this.#max = WORKERS_MAX
      this.#fill()
    }, this.#retryMs)
    this.#retryMs = Math.min(2 * this.#retryMs, RETRY_MAX_MS)
  }

  #drop(worker: Worker): void {
    const at = this.#ready.indexOf(worker)
    if (at >= 0) this.#ready.splice(at, 1)
  }
}
