import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Outgoing, Transport } from '#platform/contract/client.ts'
import { ProblemBody, type ProblemCode } from '#platform/contract/problem.ts'
import { EXIT, errnoOf, Failure } from '../failure.ts'

export interface Target {
  url: URL
  key: string | undefined
  /** The name the panel answers to, where it is not the one that was dialled. */
  hostHeader: string | undefined
  advice: string
}

const EXIT_CODES: Partial<Record<ProblemCode, number>> = {
  validation_error: EXIT.usage,
  unauthorized: EXIT.auth,
  forbidden: EXIT.auth,
  not_found: EXIT.notFound,
  conflict: EXIT.conflict,
  job_conflict: EXIT.conflict,
  precondition_failed: EXIT.conflict,
  timeout: EXIT.timeout,
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The panel's own words on what went wrong, or ours when something else answered. */
const failureOf = (status: number, text: string, target: Target): Failure => {
  const problem = ProblemBody.safeParse(parseJson(text))
  if (!problem.success) {
    return new Failure(`${target.url.origin} answered ${status}, and not as a panel does: ${target.advice}.`)
  }
  const { code, message } = problem.data.error
  return new Failure(message, EXIT_CODES[code] ?? EXIT.failure)
}

const unreachable = (error: Error, target: Target): Failure =>
  error.name === 'AbortError' || error.name === 'TimeoutError' || errnoOf(error) === 'ABORT_ERR'
    ? new Failure(
        `The panel at ${target.url.origin} did not answer in time: try again, or give more --timeout.`,
        EXIT.timeout,
      )
    : new Failure(`No panel answers at ${target.url.origin} (${errnoOf(error) ?? error.message}): ${target.advice}.`)

const headersOf = (target: Target, body: string | undefined): Record<string, string> => ({
  accept: 'application/json',
  ...(target.hostHeader === undefined ? {} : { host: target.hostHeader }),
  ...(target.key === undefined ? {} : { authorization: `Bearer ${target.key}` }),
  ...(body === undefined
    ? {}
    : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
})

const exchange = (target: Target, request: Outgoing, timeoutMs: number): Promise<[IncomingMessage, string]> =>
  new Promise((resolve, reject) => {
    const body = request.body === undefined ? undefined : JSON.stringify(request.body)
    const start = target.url.protocol === 'https:' ? httpsRequest : httpRequest
    const place = target.url.pathname.replace(/\/+$/, '')
    const options = { method: request.method, headers: headersOf(target, body), signal: AbortSignal.timeout(timeoutMs) }
    const sent = start(new URL(`${place}${request.url}`, target.url), options, answer => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => resolve([answer, Buffer.concat(parts).toString('utf8')]))
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })

/** Sends requests to one panel; whatever is not a success becomes a sentence and an exit code. */
export const transport =
  (target: Target, timeoutMs: number): Transport =>
  async request => {
    const [answer, text] = await exchange(target, request, timeoutMs).catch((error: Error) => {
      throw unreachable(error, target)
    })
    const status = answer.statusCode ?? 0
    if (status < 200 || status >= 300) throw failureOf(status, text, target)
    const isJson = answer.headers['content-type']?.includes('json')
    return isJson ? parseJson(text) : text
  }
