import type { JobLogLine } from '#platform/contract/job.ts'
import { cleanLine } from '#platform/log/clean-line.ts'

const LINES_MAX = 50_000
const FLUSH_EVERY_MS = 100

/**
 * The log of one running job. The first line is written at once, what follows within a tenth of a second, and all of it
 * before the step that said it counts as done.
 */
export class JobLog {
  #seq: number
  #waiting: JobLogLine[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #lastFlush = 0
  readonly #write: (lines: JobLogLine[]) => Promise<void>
  readonly #now: () => number

  constructor(lastSeq: number, now: () => number, write: (lines: JobLogLine[]) => Promise<void>) {
    this.#seq = lastSeq
    this.#now = now
    this.#write = write
  }

  append(stream: JobLogLine['stream'], text: string): void {
    for (const line of text.replace(/\r?\n$/, '').split(/\r?\n/)) {
      if (this.#seq >= LINES_MAX) return
      this.#seq += 1
      const last = this.#seq === LINES_MAX
      this.#waiting.push({
        seq: this.#seq,
        at: this.#now(),
        stream: last ? 'panel' : stream,
        text: last ? 'The log is full. Further lines are not kept.' : cleanLine(line),
      })
    }
    this.#timer ??= setTimeout(
      () => void this.flush().catch(() => {}),
      Date.now() - this.#lastFlush > FLUSH_EVERY_MS ? 0 : FLUSH_EVERY_MS,
    )
  }

  /** The lines no one has stored yet; the caller stores them together with what they tell of. */
  async take(): Promise<JobLogLine[]> {
    // What could not be written is waiting again.
    await this.#writing.catch(() => {})
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#lastFlush = Date.now()
    return this.#waiting.splice(0)
  }

  /** Resolves when every line so far is stored. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#lastFlush = Date.now()
    const lines = this.#waiting
    this.#waiting = []
    const write = async () => {
      try {
        await this.#write(lines)
      } catch (error) {
        this.#waiting.unshift(...lines)
        throw error
      }
    }
    if (lines.length > 0) this.#writing = this.#writing.catch(() => {}).then(write)
    return this.#writing
  }
}
