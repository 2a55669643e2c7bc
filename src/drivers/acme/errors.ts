import { z } from 'zod'
import { KnownError } from '#platform/contract/known-error.ts'

/** What the authority says when it refuses (RFC 7807). Its words end up in logs and on screens, so they are cut to one line. */
const line = (maxLength: number) =>
  z.string().transform(text => text.replace(/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]+/gu, ' ').slice(0, maxLength))

const Identifier = z.object({ value: line(253) })

export const ProblemDocument = z.object({
  type: line(200).default('about:blank'),
  detail: line(1000).default(''),
  identifier: Identifier.optional(),
  subproblems: z.array(z.object({ detail: line(1000).optional(), identifier: Identifier.optional() })).optional(),
})
export type ProblemDocument = z.output<typeof ProblemDocument>

const TYPES = 'urn:ietf:params:acme:error:'

/** Why, in our words; what the authority says itself may quote whatever a site answered. */
const REASONS: Record<string, string> = {
  caa: 'its CAA record does not allow this authority',
  connection: 'it could not connect to the server behind the name',
  dns: 'it could not look the name up',
  rejectedIdentifier: 'it issues no certificate for this name',
  unauthorized: 'the name did not answer the challenge correctly',
}

const sentenceFor = (type: string, identifier: string | undefined): string => {
  const about = identifier !== undefined && HOSTNAME.test(identifier) ? ` ${identifier}` : ''
  const reason = Object.hasOwn(REASONS, type) ? `: ${REASONS[type]}` : ''
  return `The certificate authority refused${about}${reason}`
}

const HOSTNAME = /^[a-z0-9*]([a-z0-9.-]{0,251}[a-z0-9])?$/i

/** The authority said no, and why. Asking the same again right away would get the same answer. */
export class AcmeFailed extends KnownError {
  readonly code = 'acme_failed'
  /** Without the prefix that all have: `unauthorized`, `dns`, `rejectedIdentifier` ... */
  readonly type: string
  readonly detail: string
  /** The name it is about, where the authority says so. */
  readonly identifier: string | undefined

  constructor(problem: ProblemDocument, about?: string) {
    const [sub] = problem.subproblems ?? []
    const identifier = about ?? problem.identifier?.value ?? sub?.identifier?.value
    const type = problem.type.startsWith(TYPES) ? problem.type.slice(TYPES.length) : problem.type
    const detail = problem.detail || sub?.detail || type
    super(sentenceFor(type, identifier), { output: detail })
    this.type = type
    this.detail = detail
    this.identifier = identifier
  }
}

/** The authority wants to be left alone until then. */
export class AcmeRateLimited extends KnownError {
  readonly code = 'acme_rate_limited'
  readonly retryAt: number

  constructor(retryAt: number, detail: string) {
    super(`The certificate authority accepts no more requests until ${new Date(retryAt).toISOString()}`, {
      output: detail,
    })
    this.retryAt = retryAt
  }
}

/** No one answered, or nothing that makes sense; trying again later may help. */
export class AcmeUnreachable extends KnownError {
  readonly code = 'acme_unreachable'

  constructor(url: string, reason: string, cause?: unknown) {
    super(`The certificate authority at ${new URL(url).host} returned an unusable response: ${reason}`, { cause })
  }
}
