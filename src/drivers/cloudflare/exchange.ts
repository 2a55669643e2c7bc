import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { DnsRefused, DnsUnreachable } from '#platform/dns/errors.ts'
import type { Secret } from '#platform/host/secret.ts'

export const CLOUDFLARE_API = 'https://api.cloudflare.com/client/v4'

const RESPONSE_MS = 15_000
const TRIES = 4
const RETRY_DELAY_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** It limits how often a token asks. */
const TOO_MANY = 429

export interface CloudflareOptions {
  readonly token: Secret
  readonly signal: AbortSignal
  readonly baseUrl?: string | undefined
  /** For one response, 15 seconds if absent. */
  readonly responseMs?: number | undefined
  /** Doubles with every try; half a second if absent. */
  readonly retryDelayMs?: number | undefined
}

const Envelope = z.object({
  success: z.boolean(),
  errors: z.array(z.object({ code: z.number(), message: z.string() })).nullish(),
  result: z.unknown(),
  result_info: z.object({ page: z.number(), total_pages: z.number(), total_count: z.number() }).partial().nullish(),
})
export type Envelope = z.output<typeof Envelope>

/** What Cloudflare said no with. */
export class CloudflareRefused extends DnsRefused {
  readonly numbers: readonly number[]

  constructor(status: number, errors: readonly { code: number; message: string }[]) {
    super(sentenceFor(status, errors), { output: errors.map(({ message }) => message).join('; ') })
    this.numbers = errors.map(({ code }) => code)
  }
}

const sentenceFor = (status: number, errors: readonly { code: number }[]): string => {
  const codes = errors.map(({ code }) => code).join(', ')
  if (status === 400 && codes.includes('6003')) return 'Cloudflare says that this is not a token.'
  if (status === 401 || codes.includes('9109')) return 'Cloudflare does not accept this token.'
  if (status === 403) return 'The token lacks a right at Cloudflare. It needs Zone: Read and DNS: Edit.'
  return `Cloudflare refused with status ${status}${codes === '' ? '' : ` (${codes})`}.`
}

interface Asked {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly body?: object
}

/** One request; repeated when it was limited or no one responded, since each of ours may arrive twice. */
export const ask = async (options: CloudflareOptions, path: string, asked: Asked = {}): Promise<Envelope> => {
  const { retryDelayMs = RETRY_DELAY_MS } = options
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt(options, path, asked)
    if ('envelope' in outcome) return outcome.envelope
    if (tries === TRIES) throw outcome.failure
    const waitMs = outcome.pauseMs ?? retryDelayMs * 2 ** (tries - 1)
    await sleep(Math.min(waitMs, LONGEST_PAUSE_MS), undefined, { signal: options.signal })
  }
}

type Outcome = { envelope: Envelope } | { failure: DnsUnreachable; pauseMs?: number }

const attempt = async (options: CloudflareOptions, path: string, { method = 'GET', body }: Asked): Promise<Outcome> => {
  const { token, signal, baseUrl = CLOUDFLARE_API, responseMs = RESPONSE_MS } = options
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token.reveal()}`, 'content-type': 'application/json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(responseMs)]),
      redirect: 'error',
      ...(body && { body: JSON.stringify(body) }),
    })
    return judge(response, await response.text())
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof DnsRefused) throw error
    return { failure: new DnsUnreachable('Cloudflare does not respond. Try again later.', { cause: error }) }
  }
}

const judge = (response: Response, text: string): Outcome => {
  const failure = new DnsUnreachable(`Cloudflare responded with status ${response.status}. Try again later.`)
  if (response.status === TOO_MANY) {
    const seconds = Number(response.headers.get('retry-after'))
    return { failure, ...(seconds > 0 && { pauseMs: seconds * 1000 }) }
  }
  const parsed = Envelope.safeParse(jsonOf(text))
  if (response.status >= 500 || !parsed.success) return { failure }
  if (!parsed.data.success) throw new CloudflareRefused(response.status, parsed.data.errors ?? [])
  return { envelope: parsed.data }
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
