import assert from 'node:assert/strict'
import { z } from 'zod'
import { UNCHANGED } from '#platform/contract/endpoint.ts'
import { PROBLEM_CODES, PROBLEM_STATUS } from '#platform/contract/problem.ts'

/** What every suite looks at in an answer, however it was asked for. */
export interface Seen {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  text: string
}

/** The whole policy, spelled out here a second time: a change of it is made on purpose. */
export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'"

const ALWAYS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** Refusals of HTTP itself have a status next to the thirteen, and the code that is nearest. */
const HTTP_REFUSALS: Record<number, string> = { 405: 'not_found', 416: 'validation_error', 421: 'forbidden' }

/** The three fields of every error and nothing else. */
const Exactly = z.strictObject({
  error: z.strictObject({ code: z.enum(PROBLEM_CODES), message: z.string(), details: z.unknown() }),
})

export const problemOf = (seen: Seen): z.infer<typeof Exactly>['error'] => {
  const parsed = Exactly.safeParse(JSON.parse(seen.text))
  assert.ok(parsed.success, `${seen.status} has another body than every error: ${seen.text.slice(0, 300)}`)
  return parsed.data.error
}

const assertProblem = (seen: Seen, about: string): void => {
  assert.match(String(seen.headers['content-type']), /^application\/json/, `${about}: ${seen.status} is not JSON`)
  const { code, message } = problemOf(seen)
  const refusal = HTTP_REFUSALS[seen.status]
  if (refusal) assert.equal(code, refusal, `${about}: ${seen.status} with another code`)
  else assert.equal(seen.status, PROBLEM_STATUS[code], `${about}: ${code} came with the wrong status`)
  if (seen.status === 405) assert.match(String(seen.headers.allow), /^[A-Z]+(?:, [A-Z]+)*$/, `${about}: no Allow`)
  assert.ok(message.length > 10 && message.endsWith('.'), `${about}: the message is no sentence: ${message}`)
  if (seen.status === 429) assert.match(String(seen.headers['retry-after']), /^[1-9]\d*$/, `${about}: no Retry-After`)
}

/** OAuth has its own shape for what goes wrong; an error of the API never fits it. */
const OAuthProblem = z.strictObject({ error: z.string().regex(/^[a-z_]+$/), error_description: z.string() })

const isOAuthProblem = ({ text }: Seen): boolean =>
  text.startsWith('{"error":"') && OAuthProblem.safeParse(JSON.parse(text)).success

/** What holds for every answer of the panel, of whatever kind. `bodyless` for HEAD, whose answer has none. */
export const assertAnswer = (seen: Seen, about: string, { bodyless = false } = {}): void => {
  for (const [name, value] of Object.entries(ALWAYS))
    assert.equal(seen.headers[name], value, `${about}: ${seen.status} without the right ${name}`)
  assert.equal(seen.headers['access-control-allow-origin'], undefined, `${about}: other sites are let in`)
  const hasProblem = (seen.status < 200 || seen.status > 299) && seen.status !== UNCHANGED
  if (hasProblem && !bodyless && !isOAuthProblem(seen)) assertProblem(seen, about)
}

/** The same, as a list for sweeps that continue. */
export const faultsOfAnswer = (seen: Seen, about: string, options: { bodyless?: boolean } = {}): string[] => {
  try {
    assertAnswer(seen, about, options)
    return []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

const Faults = z.array(z.object({ in: z.string().optional(), path: z.string(), message: z.string().min(5) })).min(1)

/** Where a refused request was wrong: every 400 says it. */
export const faultsOf = (seen: Seen): z.infer<typeof Faults> => {
  const { code, details } = problemOf(seen)
  assert.equal(code, 'validation_error')
  const faults = Faults.safeParse(details)
  assert.ok(faults.success, `the details do not say where: ${seen.text.slice(0, 300)}`)
  return faults.data
}
