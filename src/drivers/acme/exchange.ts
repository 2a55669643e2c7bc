import { z } from 'zod'
import type { Secret } from '#platform/host/secret.ts'
import type { Log } from '#platform/log/log.ts'
import { AcmeFailed, AcmeRateLimited, AcmeUnreachable, ProblemDocument } from './errors.ts'
import { pause, retryAfter } from './pause.ts'
import { signer } from './signing.ts'

const REQUEST_MS = 30_000
/** So many that one in ten being accepted is enough. */
const NONCE_TRIES = 200
const NONCES_AT_ONCE = 5
const NONCE_PAUSE_MS = 10
const KEPT_NONCES = 20
/** A wait the authority asks for is kept inside the request up to this long, beyond it the whole attempt ends. */
const LONGEST_PAUSE_MS = 30_000
const RETRIES = 3
const UNNAMED_LIMIT_MS = 3_600_000
const LONGEST_LIMIT_MS = 7 * 86_400_000

export interface ExchangeOptions {
  directoryUrl: string
  accountKey: Secret
  log: Log
  signal: AbortSignal
  fetch?: typeof fetch | undefined
  /** Doubles with every time an authority that fails is asked again. */
  retryDelayMs?: number | undefined
}

interface Asked {
  method?: 'HEAD' | 'POST'
  body?: string
}

export interface Answer {
  url: string
  status: number
  text: string
  header(name: string): string | null
}

const Directory = z.object({
  newNonce: z.url(),
  newAccount: z.url(),
  newOrder: z.url(),
  renewalInfo: z.url().optional(),
})

export type Exchange = ReturnType<typeof createExchange>

/** Requests and answers: signatures, nonces, and patience with an authority that stumbles. */
export const createExchange = (options: ExchangeOptions) => {
  const { directoryUrl, log, signal } = options
  const { sign, keyAuthorization } = signer(options.accountKey)
  const nonces: string[] = []
  let directory: Promise<z.output<typeof Directory>> | undefined
  const ask = async (url: string, prepare: () => Promise<Asked>): Promise<Answer> => {
    const answer = await askPatiently(url, prepare, options)
    const nonce = answer.header('replay-nonce')
    if (nonce !== null && nonces.length < KEPT_NONCES) nonces.push(nonce)
    return answer
  }
  const get = async (url: string): Promise<Answer> => refuse(await ask(url, async () => ({})))
  const readDirectory = () =>
    (directory ??= get(directoryUrl).then(answer => parse(answer, Directory, 'is not an ACME directory')))
  const takeNonce = async (): Promise<string> => {
    if (nonces.length === 0) {
      const { newNonce } = await readDirectory()
      refuse(await ask(newNonce, async () => ({ method: 'HEAD' })))
    }
    const nonce = nonces.pop()
    if (nonce === undefined) throw new AcmeUnreachable(directoryUrl, 'it returned no nonce')
    return nonce
  }
  const post = async (url: string, payload: unknown, account: string | undefined): Promise<Answer> => {
    for (let tries = 1; ; tries += 1) {
      const answer = await ask(url, async () => ({
        method: 'POST',
        body: await sign({ url, nonce: await takeNonce(), payload, account }),
      }))
      if (tries === NONCE_TRIES || !isBadNonce(answer)) return refuse(answer)
      log.debug({ url, tries }, 'the certificate authority wants another nonce')
      if (tries > NONCES_AT_ONCE) await pause(NONCE_PAUSE_MS, signal)
    }
  }
  return { readDirectory, get, post, keyAuthorization, signal }
}

export const parse = <S extends z.ZodType>(answer: Answer, schema: S, complaint: string): z.output<S> => {
  const parsed = schema.safeParse(jsonOf(answer.text))
  if (!parsed.success) throw new AcmeUnreachable(answer.url, `its response ${complaint}`)
  return parsed.data
}

/** Asks until there is an answer that is not the authority's own failure, a few times at most. */
const askPatiently = async (url: string, prepare: () => Promise<Asked>, options: ExchangeOptions): Promise<Answer> => {
  const { log, signal, retryDelayMs = 1000 } = options
  for (let tries = 0; ; tries += 1) {
    const asked = await prepare()
    const outcome = await askOnce(url, asked, options).catch((error: unknown) => {
      signal.throwIfAborted()
      return new AcmeUnreachable(url, 'it cannot be reached', error)
    })
    if (!(outcome instanceof AcmeUnreachable) && outcome.status < 500) return outcome
    const now = Date.now()
    const askedFor = outcome instanceof AcmeUnreachable ? undefined : retryAfter(outcome.header('retry-after'), now)
    if (askedFor !== undefined && askedFor - now > LONGEST_PAUSE_MS) throw rateLimited(askedFor, 'it is busy', now)
    if (tries === RETRIES) {
      throw outcome instanceof AcmeUnreachable ? outcome : new AcmeUnreachable(url, `status ${outcome.status}`)
    }
    log.debug({ url, tries }, 'the certificate authority failed; retrying')
    await pause(Math.max(retryDelayMs * 2 ** tries, (askedFor ?? now) - now), signal)
  }
}

const askOnce = async (url: string, asked: Asked, options: ExchangeOptions): Promise<Answer> => {
  const { fetch: send = fetch, signal } = options
  const response = await send(url, {
    ...asked,
    headers: {
      'user-agent': 'fleetpress',
      ...(asked.body === undefined ? {} : { 'content-type': 'application/jose+json' }),
    },
    // A redirect would leave the address that was signed, and the one that was configured.
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
  })
  const text = await response.text()
  return { url, status: response.status, text, header: name => response.headers.get(name) }
}

const refuse = (answer: Answer): Answer => {
  if (answer.status < 300) return answer
  const problem = problemOf(answer)
  const now = Date.now()
  if (answer.status === 429 || problem.type.endsWith(':rateLimited')) {
    throw rateLimited(retryAfter(answer.header('retry-after'), now) ?? now + UNNAMED_LIMIT_MS, problem.detail, now)
  }
  throw new AcmeFailed(problem)
}

/** Whatever the authority says, the wait has an end. */
const rateLimited = (retryAt: number, detail: string, now: number) =>
  new AcmeRateLimited(Math.min(retryAt, now + LONGEST_LIMIT_MS), detail)

const isBadNonce = (answer: Answer): boolean => answer.status === 400 && problemOf(answer).type.endsWith(':badNonce')

const problemOf = (answer: Answer) => {
  const parsed = ProblemDocument.safeParse(jsonOf(answer.text))
  return parsed.success ? parsed.data : ProblemDocument.parse({ detail: `status ${answer.status}` })
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
