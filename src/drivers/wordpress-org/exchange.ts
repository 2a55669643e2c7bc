import { WordpressOrgUnreachable } from './errors.ts'

const ANSWER_MS = 10_000
const MAX_TEXT_BYTES = 8 * 1024 * 1024

/** Where the service is asked, and how long. */
export interface WordpressOrg {
  readonly api: string
  readonly downloads: string
  /** For one short answer, ten seconds if absent. */
  readonly answerMs?: number
  /** Before a failed question is asked again, and longer each time; half a second if absent. */
  readonly retryDelayMs?: number
  readonly signal?: AbortSignal | undefined
}

export const WORDPRESS_ORG = {
  api: 'https://api.wordpress.org',
  downloads: 'https://downloads.wordpress.org',
} as const satisfies WordpressOrg

/** Undefined when the service says that it has no such thing. */
export const readText = async (service: WordpressOrg, url: string): Promise<string | undefined> => {
  const chunks: Uint8Array[] = []
  const found = await readBody(
    service,
    { url, timeoutMs: service.answerMs ?? ANSWER_MS, maxBytes: MAX_TEXT_BYTES },
    chunk => {
      chunks.push(chunk)
    },
  )
  return found ? Buffer.concat(chunks).toString() : undefined
}

interface Asked {
  readonly url: string
  readonly timeoutMs: number
  readonly maxBytes: number
}

/** False when the service says that it has no such thing. What `onChunk` throws is passed on as it is. */
export const readBody = async (
  { signal }: WordpressOrg,
  { url, timeoutMs, maxBytes }: Asked,
  onChunk: (chunk: Uint8Array) => void | Promise<void>,
): Promise<boolean> => {
  const tooLate = AbortSignal.timeout(timeoutMs)
  const stop = signal === undefined ? tooLate : AbortSignal.any([signal, tooLate])
  const guarded = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      signal?.throwIfAborted()
      throw new WordpressOrgUnreachable(url, tooLate.aborted ? `none within ${timeoutMs} ms` : reasonOf(error), error)
    }
  }
  // A compressed archive must come as it is.
  const headers = { 'user-agent': 'fleetpress', 'accept-encoding': 'identity' }
  const response = await guarded(fetch(url, { headers, signal: stop }))
  const reader = (response.body ?? new Blob([]).stream()).getReader()
  try {
    if (response.status === 404) return false
    refuse(url, response)
    let leftBytes = maxBytes
    for (;;) {
      const { done, value } = await guarded(reader.read())
      if (done) return true
      leftBytes -= value.length
      if (leftBytes < 0) throw new WordpressOrgUnreachable(url, `more than ${maxBytes} bytes`)
      await onChunk(value)
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

const refuse = (url: string, response: Response): void => {
  if (!response.ok) throw new WordpressOrgUnreachable(url, `status ${response.status}`)
  if (url.startsWith('https:') && !response.url.startsWith('https:')) {
    throw new WordpressOrgUnreachable(url, 'it leads to an address without encryption')
  }
}

/** The built-in client hides what went wrong one level down. */
const reasonOf = (error: unknown): string => {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return inner instanceof Error ? inner.message || inner.name : String(inner)
}
