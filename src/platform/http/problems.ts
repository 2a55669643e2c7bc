import type { z } from 'zod'
import { Problem } from '#platform/contract/problem.ts'
import { HostError, HostTimeout } from '#platform/host/errors.ts'

/** What Fastify's own errors begin with when they are about the body. Errors of others may say anything. */
const UNREADABLE_BODY = 'FST_ERR_CTP_'

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Whatever was thrown, as the one shape every error answer has. */
export const toProblem = (error: unknown, requestId: string): Problem => {
  if (error instanceof Problem) return error
  if (error instanceof HostError)
    return new Problem(error instanceof HostTimeout ? 'timeout' : 'bad_gateway', `${error.message}.`, {
      reason: error.code,
    })
  const code = codeOf(error)
  if (code.startsWith(UNREADABLE_BODY)) {
    const advice = bodyAdvice(code)
    return new Problem('validation_error', advice, [{ in: 'body', path: '', message: advice }])
  }
  return unforeseen(requestId)
}

export const unforeseen = (requestId: string): Problem =>
  new Problem('internal', 'The panel made a mistake; it is in its log under this request id. Please report it.', {
    requestId,
  })

const bodyAdvice = (code: string): string => {
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return 'The body is larger than this endpoint takes.'
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return 'Send the body as JSON with `Content-Type: application/json`.'
    default:
      return 'The body could not be read. Send all of it, in the right form.'
  }
}

/** Which part of the request is wrong, and why. */
export const invalid = (part: 'params' | 'query' | 'body', error: z.ZodError): Problem => {
  const details = error.issues.flatMap(issue =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map(key => ({
          in: part,
          path: [...issue.path, key].join('.'),
          message: 'is not a field of this request',
        }))
      : [{ in: part, path: issue.path.join('.'), message: issue.message }],
  )
  const first = details[0]
  const where = first?.path ? `${first.path}: ` : ''
  return new Problem(
    'validation_error',
    `The ${part} is wrong. ${where}${first?.message ?? 'it does not fit'}.`,
    details.slice(0, 50),
  )
}
