import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import type { OnChunk } from '#platform/host/host.ts'

type Produce = (write: OnChunk, signal: AbortSignal) => Promise<unknown>
type Consume = (source: Readable, signal: AbortSignal) => Promise<unknown>

/** From one machine to another through the panel, never more at a time than a small buffer holds. */
export const pump = async (produce: Produce, consume: Consume, signal: AbortSignal): Promise<void> => {
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const middle = new PassThrough()
  // Anyone who reads it sees the same failure.
  middle.on('error', () => {})
  const write = async (chunk: Buffer) => {
    if (!middle.write(chunk)) await once(middle, 'drain', { signal: either })
  }
  const produced = produce(write, either).then(
    () => void middle.end(),
    (error: unknown) => {
      middle.destroy(error instanceof Error ? error : new Error('the source ended'))
      throw error
    },
  )
  const consumed = consume(middle, either)
  try {
    await Promise.all([produced, consumed])
  } catch (error) {
    stop.abort(error)
    await Promise.allSettled([produced, consumed])
    throw error
  }
}
