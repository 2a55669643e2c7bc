import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { WordpressOrgUnreachable } from './errors.ts'

const ANSWER_MS = 10_000
const TRIES = 3
const RETRY_DELAY_MS = 500
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
export const readText = async (
  service: WordpressOrg,
  url: string,
  form?: Readonly<Record<string, string>>,
): Promise<string | undefined> => {
  const chunks: Uint8Array[] = []
  const timeoutMs = service.answerMs ?? ANSWER_MS
  const found = await readBody(service, { url, form, timeoutMs, maxBytes: MAX_TEXT_BYTES }, chunk => {
    chunks.push(chunk)
  })
  return found ? Buffer.concat(chunks).toString() : undefined
}

/** What the text of a response says, in this form. */
export const parseJson = <S extends z.ZodType>(url: string, schema: S, text: string | undefined): z.output<S> => {
  const parsed = schema.safeParse(jsonOf(text))
  if (!parsed.success) throw new WordpressOrgUnreachable(url, 'its response does not match the request')
  return parsed.data
}

const jsonOf = (text: string | undefined): unknown => {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

export const withRetries = async <T>(service: WordpressOrg, work: () => Promise<T>): Promise<T> => {
  const { retryDelayMs = RETRY_DELAY_MS, signal } = service
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries === TRIES || !(error instanceof WordpressOrgUnreachable)) throw error
      await sleep(retryDelayMs * tries, undefined, { signal }).catch(() => {})
      signal?.throwIfAborted()
    }
  }
}

interface Asked {
  readonly url: string
  /** Sent as a form, if there is one. */
  readonly form?: Readonly<Record<string, string>> | undefined
  readonly timeoutMs: number
  readonly maxBytes: number
}

/** False when the service says that it has no such thing. What `onChunk` throws is passed on as it is. */
export const readBody = async (
  { signal }: WordpressOrg,
  { url, form, timeoutMs, maxBytes }: Asked,
  onChunk: (chunk: Uint8Array) => void | Promise<void>,
): Promise<boolean> => {
  const tooLate = AbortSignal.timeout(timeoutMs)
  const stop = signal === undefined ? tooLate : AbortSignal.any([signal, tooLate])
  const guarded = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      signal?.throwIfAborted()
      throw new WordpressOrgUnreachable(
        url,
        tooLate.aborted ? `none within ${timeoutMs} ms` : 'it cannot be reached',
        error,
      )
    }
  }
  // A compressed archive must come as it is.
  const headers = { 'user-agent': 'fleetpress', 'accept-encoding': 'identity' }
  const sent = form && { method: 'POST', body: new URLSearchParams(form) }
  const response = await guarded(fetch(url, { headers, signal: stop, ...sent }))
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
    throw new WordpressOrgUnreachable(url, 'it redirects to an unencrypted address')
  }
}
