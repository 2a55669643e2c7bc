import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Transport } from '#platform/contract/client.ts'
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
    return new Failure(`${target.url.origin} returned ${status}, which is not a response of a panel: ${target.advice}.`)
  }
  const { code, message } = problem.data.error
  return new Failure(message, EXIT_CODES[code] ?? EXIT.failure)
}

const unreachable = (error: Error, target: Target): Failure =>
  error.name === 'AbortError' || error.name === 'TimeoutError' || errnoOf(error) === 'ABORT_ERR'
    ? new Failure(
        `The panel at ${target.url.origin} did not respond in time: try again, or use a longer --timeout.`,
        EXIT.timeout,
      )
    : new Failure(`Can't reach a panel at ${target.url.origin} (${errnoOf(error) ?? error.message}): ${target.advice}.`)

/** A body as it is sent: text, or bytes that are read as they go. */
export interface SentBody {
  type: string
  /** Undefined when it is not known before the end. */
  sizeBytes: number | undefined
  content: string | Readable
}

export interface Sent {
  method: string
  url: string
  headers?: Record<string, string>
  body?: SentBody | undefined
  signal?: AbortSignal
}

const headersOf = (target: Target, { headers, body }: Sent): Record<string, string> => ({
  accept: 'application/json',
  ...(target.hostHeader === undefined ? {} : { host: target.hostHeader }),
  ...(target.key === undefined ? {} : { authorization: `Bearer ${target.key}` }),
  ...(body === undefined ? {} : { 'content-type': body.type }),
  ...(body?.sizeBytes === undefined ? {} : { 'content-length': String(body.sizeBytes) }),
  ...headers,
})

class NoAnswer extends Error {
  override name = 'TimeoutError'
}

/** Returns the answer as soon as it begins. The time is for silence: how long bytes take depends on how many they are. */
const exchange = (target: Target, sent: Sent, timeoutMs: number): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const start = target.url.protocol === 'https:' ? httpsRequest : httpRequest
    const place = target.url.pathname.replace(/\/+$/, '')
    const { method, signal } = sent
    const options = { method, headers: headersOf(target, sent), timeout: timeoutMs, ...(signal && { signal }) }
    const request = start(new URL(`${place}${sent.url}`, target.url), options, resolve)
    request.on('timeout', () => request.destroy(new NoAnswer()))
    request.on('error', reject)
    const content = sent.body?.content
    if (content === undefined || typeof content === 'string') request.end(content)
    else pipeline(content, request).catch((error: Error) => reject(error))
  })

/** Sends one request to a panel; whatever is not a success becomes a sentence and an exit code. */
export type Open = (sent: Sent) => Promise<IncomingMessage>

export const opener =
  (target: Target, timeoutMs: number): Open =>
  async sent => {
    const answer = await exchange(target, sent, timeoutMs).catch((error: Error) => {
      throw unreachable(error, target)
    })
    const status = answer.statusCode ?? 0
    if (status >= 200 && status < 300) return answer
    const refusal = await text(answer)
    // Nothing more of a body is sent that was refused.
    answer.destroy()
    throw failureOf(status, refusal, target)
  }

const jsonBody = (value: unknown): SentBody | undefined => {
  if (value === undefined) return undefined
  const content = JSON.stringify(value)
  return { type: 'application/json', sizeBytes: Buffer.byteLength(content), content }
}

/** The JSON of an answer, or its text where it is none. */
export const readAnswer = async (answer: IncomingMessage): Promise<unknown> => {
  const content = await text(answer)
  return answer.headers['content-type']?.includes('json') ? parseJson(content) : content
}

/** The same for JSON, where the time is for all of it. */
export const transport = (target: Target, timeoutMs: number): Transport => {
  const open = opener(target, timeoutMs)
  return async ({ method, url, body }) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await open({ method, url, body: jsonBody(body), signal })
    return readAnswer(answer).catch((error: Error) => {
      throw unreachable(error, target)
    })
  }
}
