import type { z } from 'zod'
import { maySeeOutput, outputOf } from '#platform/contract/known-error.ts'
import type { Level } from '#platform/contract/level.ts'
import { fieldWords } from '#platform/contract/plain-messages.ts'
import { Problem, type ProblemBody } from '#platform/contract/problem.ts'
import { unwritableReason } from '#platform/db/unwritable.ts'
import { HostError, HostTimeout } from '#platform/host/errors.ts'
import { cleanLine, cleanText } from '#platform/log/clean-line.ts'

/** What Fastify's own errors begin with when they are about the body. Errors of others may say anything. */
const UNREADABLE_BODY = 'FST_ERR_CTP_'

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Whatever was thrown, as the one shape every error answer has. */
export const toProblem = (error: unknown, requestId: string, bodyType: string): Problem => {
  if (error instanceof Problem) return error
  if (error instanceof HostError) {
    const code = error instanceof HostTimeout ? 'timeout' : 'bad_gateway'
    return new Problem(code, `${cleanLine(error.message)}.`, { reason: error.code }, { cause: error })
  }
  const reason = unwritableReason(error)
  if (reason !== undefined) return new Problem('unavailable', reason)
  const code = codeOf(error)
  if (code.startsWith(UNREADABLE_BODY)) {
    const advice = bodyAdvice(code, bodyType)
    return new Problem('validation_error', advice, [{ in: 'body', path: '', message: advice }])
  }
  return unforeseen(requestId)
}

/** The body of an error answer. What a site or a server said is part of `details`, for those who may see it. */
export const bodyFor = (problem: Problem, level: Level): ProblemBody => {
  const body = problem.toBody()
  const output = cleanText(outputOf(problem))
  if (output === '' || !maySeeOutput(level)) return body
  return { error: { ...body.error, details: { ...(body.error.details as object | null), output } } }
}

const unforeseen = (requestId: string): Problem =>
  new Problem('internal', 'Internal error. Please report it with this request id; the panel log has the details.', {
    requestId,
  })

const bodyAdvice = (code: string, bodyType: string): string =>
  code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
    ? `Send the body with \`Content-Type: ${bodyType}\`.`
    : "The body couldn't be read. Send all of it, in the documented format."

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
  const what = first?.path ? fieldWords(first.path) : `The ${part}`
  return new Problem('validation_error', `${what} ${first?.message ?? 'is invalid'}.`, details.slice(0, 50))
}
