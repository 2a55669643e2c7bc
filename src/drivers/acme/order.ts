import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { z } from 'zod'
import type { Secret } from '#platform/host/secret.ts'
import { certificateRequest } from './certificate-request.ts'
import { AcmeFailed, AcmeUnreachable, ProblemDocument } from './errors.ts'
import { type Exchange, parse } from './exchange.ts'
import { pause, retryAfter } from './pause.ts'

const FIRST_POLL_MS = 200
const SLOWEST_POLL_MS = 5_000
const LONGEST_POLL_MS = 180_000

/** The authority asks for the token at the name's own web server. */
export interface HttpChallenge {
  type: 'http-01'
  publish(token: string, keyAuthorization: string): Promise<void>
  /** May be called for a token that was never published. */
  unpublish(token: string): Promise<void>
}

/** The authority looks for the value among the texts of `_acme-challenge` below the name. The only way for wildcards. */
export interface DnsChallenge {
  type: 'dns-01'
  /** Returns once the name servers respond with it. */
  publish(name: string, value: string): Promise<void>
  /** May be called for a value that was never published. */
  unpublish(name: string, value: string): Promise<void>
}

/** How a name is proven. */
export type NameChallenge = HttpChallenge | DnsChallenge

export interface Wanted {
  names: readonly string[]
  /** The private key of the certificate. */
  key: Secret
  challenge: NameChallenge
}

const Status = z.enum(['pending', 'ready', 'processing', 'valid', 'invalid', 'deactivated', 'expired', 'revoked'])

const Order = z.object({
  status: Status,
  authorizations: z.array(z.url()),
  finalize: z.url(),
  certificate: z.url().optional(),
  error: ProblemDocument.optional(),
})

const Challenge = z.object({
  type: z.string(),
  url: z.url(),
  status: z.string(),
  // It becomes the name of a file.
  token: z
    .string()
    .regex(/^[\w-]{1,200}$/)
    .optional(),
  error: ProblemDocument.optional(),
})

const Authorization = z.object({
  status: Status,
  identifier: z.object({ value: z.string() }),
  challenges: z.array(Challenge),
})

type Order = z.output<typeof Order>
type Authorization = z.output<typeof Authorization>

/** Requests in the name of an account that is known to the authority. */
export interface Conversation {
  exchange: Exchange
  account: string
}

/**
 * Takes an order from whatever state it is in to its certificate: proves the names, hands in the request, fetches the
 * chain. May be called again after it was cut off; no token stays published.
 */
export const completeOrder = async (talk: Conversation, orderUrl: string, wanted: Wanted): Promise<string> => {
  const order = await read(talk, orderUrl, Order)
  const proofs: Authorization[] = []
  for (const url of order.authorizations) proofs.push(await read(talk, url, Authorization))
  try {
    if (order.status === 'pending') await prove(talk, order, proofs, wanted.challenge)
    const ready = await settled(talk, orderUrl, Order, ({ status }) => status === 'pending')
    if (ready.status === 'ready') await finalize(talk, ready, wanted)
    const done = await settled(talk, orderUrl, Order, ({ status }) => status === 'ready' || status === 'processing')
    if (done.status !== 'valid' || done.certificate === undefined) {
      throw new AcmeFailed(done.error ?? ProblemDocument.parse({ detail: `the order is ${done.status}` }))
    }
    const { text } = await talk.exchange.post(done.certificate, undefined, talk.account)
    return checked(text, wanted, orderUrl)
  } finally {
    for (const proof of proofs) await unpublish(talk, proof, wanted.challenge)
  }
}

const offered = ({ challenges }: Authorization, { type: wanted }: NameChallenge) =>
  challenges.find(({ type }) => type === wanted) ?? { token: undefined, url: undefined, status: 'absent' }

const publish = async (talk: Conversation, proof: Authorization, token: string, challenge: NameChallenge) => {
  const keyAuthorization = await talk.exchange.keyAuthorization(token)
  if (challenge.type === 'http-01') return challenge.publish(token, keyAuthorization)
  return challenge.publish(proof.identifier.value, digestOf(keyAuthorization))
}

const unpublish = async (talk: Conversation, proof: Authorization, challenge: NameChallenge) => {
  const { token } = offered(proof, challenge)
  if (token === undefined) return
  if (challenge.type === 'http-01') return challenge.unpublish(token)
  return challenge.unpublish(proof.identifier.value, digestOf(await talk.exchange.keyAuthorization(token)))
}

const digestOf = (keyAuthorization: string): string => createHash('sha256').update(keyAuthorization).digest('base64url')

/** All names are offered before the first is waited for: the authority looks at them side by side. */
const prove = async (talk: Conversation, order: Order, proofs: Authorization[], challenge: NameChallenge) => {
  for (const proof of proofs.filter(({ status }) => status === 'pending')) {
    const { token, url, status } = offered(proof, challenge)
    if (token === undefined || url === undefined) {
      const detail = `it offers no ${challenge.type} challenge`
      throw new AcmeFailed(ProblemDocument.parse({ detail }), proof.identifier.value)
    }
    await publish(talk, proof, token, challenge)
    if (status === 'pending') await talk.exchange.post(url, {}, talk.account)
  }
  for (const url of order.authorizations) {
    const proof = await settled(talk, url, Authorization, ({ status }) => status === 'pending')
    if (proof.status === 'valid') continue
    const error = proof.challenges.find(({ error }) => error !== undefined)?.error
    const problem = error ?? ProblemDocument.parse({ detail: `the challenge is ${proof.status}` })
    throw new AcmeFailed(problem, proof.identifier.value)
  }
}

const finalize = async (talk: Conversation, order: Order, { key, names }: Wanted) => {
  const csr = certificateRequest(key, names).toString('base64url')
  await talk.exchange.post(order.finalize, { csr }, talk.account).catch((error: unknown) => {
    // Handed in already, by an earlier try whose answer was lost: the order says how it ended.
    if (!(error instanceof AcmeFailed && error.type === 'orderNotReady')) throw error
  })
}

const read = async <S extends z.ZodType>({ exchange, account }: Conversation, url: string, schema: S) =>
  parse(await exchange.post(url, undefined, account), schema, 'is not an order')

/** Asks again, as slowly as the authority wishes, until it is no longer undecided. */
const settled = async <S extends z.ZodType>(
  { exchange, account }: Conversation,
  url: string,
  schema: S,
  isUndecided: (value: z.output<S>) => boolean,
): Promise<z.output<S>> => {
  const deadline = Date.now() + LONGEST_POLL_MS
  for (let waitMs = FIRST_POLL_MS; ; waitMs = Math.min(waitMs * 2, SLOWEST_POLL_MS)) {
    const answer = await exchange.post(url, undefined, account)
    const value = parse(answer, schema, 'is not an order')
    if (!isUndecided(value)) return value
    const now = Date.now()
    const at = Math.max(retryAfter(answer.header('retry-after'), now) ?? 0, now + waitMs)
    if (at > deadline) throw new AcmeUnreachable(url, 'it did not finish in time')
    await pause(at - now, exchange.signal)
  }
}

/** A certificate that does not fit would stop the web server. */
const checked = (chainPem: string, { key, names }: Wanted, orderUrl: string): string => {
  try {
    const leaf = new X509Certificate(chainPem)
    if (
      leaf.checkPrivateKey(createPrivateKey(key.reveal())) &&
      names.every(name => leaf.checkHost(name.replace(/^\*/, 'any')))
    )
      return chainPem
  } catch (error) {
    throw new AcmeUnreachable(orderUrl, 'it did not return a certificate', error)
  }
  throw new AcmeFailed(ProblemDocument.parse({ detail: 'the certificate is for other domains or another key' }))
}
