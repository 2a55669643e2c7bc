import { Problem } from '#platform/contract/problem.ts'
import { MAX_CHUNK_BYTES } from '../uploads/contract.ts'
import { api } from './api.ts'
import { pace } from './pace.ts'

const TRIES = 5
const PAUSE_MS = 1_000

export interface Sending {
  readonly slug: string
  readonly path: string
  readonly file: Blob
  readonly overwrite: boolean
  readonly signal: AbortSignal
  readonly onSent: (bytes: number) => void
}

/** Where the panel wants to continue, if that is what it says. */
const receivedIn = (error: unknown): number | undefined => {
  if (!(error instanceof Problem) || error.code !== 'conflict') return undefined
  const { received } = (error.details ?? {}) as { received?: unknown }
  return typeof received === 'number' ? received : undefined
}

/** What a cut connection or a busy panel is worth trying again for. */
const isPassing = (error: unknown): boolean =>
  error instanceof Problem && ['bad_gateway', 'timeout', 'rate_limited', 'maintenance'].includes(error.code)

const pause = (error: unknown): Promise<void> => {
  const seconds = error instanceof Problem ? error.retryAfterSeconds : undefined
  return new Promise(resolve => setTimeout(resolve, seconds === undefined ? PAUSE_MS : seconds * 1000))
}

/** Sends a file in chunks and continues where the panel says after a failure. */
export const sendFile = async ({ slug, path, file, overwrite, signal, onSent }: Sending): Promise<void> => {
  const params = { slug, id: crypto.randomUUID() }
  let offset = 0
  for (let failures = 0; ; ) {
    await pace()
    if (signal.aborted) {
      await api.fileUploadDelete({ params, query: { path } }).catch(() => {})
      return
    }
    try {
      const query = { path, offset, size: file.size, overwrite: overwrite ? ('true' as const) : ('false' as const) }
      const upload = file.slice(offset, offset + MAX_CHUNK_BYTES)
      const { received, written } = await api.fileUpload({ params, query, upload })
      failures = 0
      offset = received
      onSent(received)
      if (written) return
    } catch (error) {
      failures += 1
      const received = receivedIn(error)
      if (failures > TRIES || (received === undefined && !isPassing(error))) throw error
      if (received === undefined) await pause(error)
      else offset = received
    }
  }
}
