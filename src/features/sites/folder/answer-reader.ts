import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { z } from 'zod'
import { Problem } from '#platform/contract/problem.ts'
import { Refusal, refuse } from './refusals.ts'

const MAX_LINE_BYTES = 32 * 1024 ** 2
const NEWLINE = 0x0a

const Line = z.union([
  z.object({ progress: z.object({ done: z.number(), total: z.number() }) }),
  z.object({ ok: z.unknown() }),
  z.object({ error: Refusal }),
])

/** Takes apart what `site-files` says: lines of JSON up to its answer, then bytes. */
export class AnswerReader {
  /** Resolves with the line of the answer, before its bytes. */
  readonly isAnswered: Promise<void>
  /** Why what was said could not be taken. */
  failure: unknown
  readonly #onProgress: ((done: number, total: number) => void) | undefined
  readonly #bytes: Writable | undefined
  readonly #tellAnswered: () => void
  #held: Buffer[] = []
  #heldBytes = 0
  #line: z.infer<typeof Line> | undefined

  constructor(onProgress?: (done: number, total: number) => void, bytes?: Writable) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.isAnswered = promise
    this.#tellAnswered = resolve
    this.#onProgress = onProgress
    this.#bytes = bytes
  }

  async take(chunk: Buffer): Promise<void> {
    try {
      await this.#take(chunk)
    } catch (error) {
      this.failure = error
      throw error
    }
  }

  async #take(chunk: Buffer): Promise<void> {
    let rest: Buffer | undefined = chunk
    while (rest !== undefined && rest.length > 0 && this.#line === undefined) rest = this.#takeLine(rest)
    if (rest === undefined || rest.length === 0 || this.#bytes === undefined) return
    if (this.#bytes.destroyed) throw new Error('the reader has left')
    if (!this.#bytes.write(rest)) await Promise.race([once(this.#bytes, 'drain'), once(this.#bytes, 'close')])
  }

  /** The answer, or the refusal thrown. */
  answer(): unknown {
    if (this.#line === undefined || 'progress' in this.#line)
      throw new Problem('bad_gateway', 'The site gave no answer about its files. Try again.')
    if ('error' in this.#line) throw refuse(this.#line.error)
    return this.#line.ok
  }

  /** What is left behind the first line break, undefined when there is none yet. */
  #takeLine(chunk: Buffer): Buffer | undefined {
    const end = chunk.indexOf(NEWLINE)
    const piece = end < 0 ? chunk : chunk.subarray(0, end)
    this.#held.push(piece)
    this.#heldBytes += piece.length
    if (this.#heldBytes > MAX_LINE_BYTES) throw new Problem('bad_gateway', 'The site said too much about its files.')
    if (end < 0) return undefined
    const line = Line.safeParse(parsed(Buffer.concat(this.#held).toString()))
    this.#held = []
    this.#heldBytes = 0
    if (!line.success) throw new Problem('bad_gateway', 'The site gave an answer about its files that cannot be read.')
    if ('progress' in line.data) this.#onProgress?.(line.data.progress.done, line.data.progress.total)
    else {
      this.#line = line.data
      this.#tellAnswered()
    }
    return chunk.subarray(end + 1)
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
