import { z } from 'zod'
import { KnownError } from './known-error.ts'

/** Every error the API answers with, and its HTTP status. Nothing else is ever sent. */
export const PROBLEM_STATUS = {
  validation_error: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  job_conflict: 409,
  precondition_failed: 412,
  syntax_error: 422,
  rate_limited: 429,
  internal: 500,
  bad_gateway: 502,
  maintenance: 503,
  unavailable: 503,
  timeout: 504,
} as const

export type ProblemCode = keyof typeof PROBLEM_STATUS
export const PROBLEM_CODES = Object.keys(PROBLEM_STATUS) as ProblemCode[]

/** The body of every answer that is not a success. */
export const ProblemBody = z.object({
  error: z.object({
    code: z.enum(PROBLEM_CODES as [ProblemCode, ...ProblemCode[]]),
    message: z.string(),
    details: z.unknown(),
  }),
})
export type ProblemBody = z.infer<typeof ProblemBody>

/** An answer that is not a success. `message` says what to do next, `details` says where. */
export class Problem extends KnownError {
  readonly code: ProblemCode
  readonly details: unknown
  /** For `rate_limited`: how long the caller should wait. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ProblemCode,
    message: string,
    details: unknown = null,
    { retryAfterSeconds, ...known }: { retryAfterSeconds?: number | undefined; cause?: unknown; output?: string } = {},
  ) {
    super(message, known)
    this.code = code
    this.details = details
    this.retryAfterSeconds = retryAfterSeconds
  }

  get status(): number {
    return PROBLEM_STATUS[this.code]
  }

  toBody(): ProblemBody {
    return { error: { code: this.code, message: this.message, details: this.details } }
  }
}
