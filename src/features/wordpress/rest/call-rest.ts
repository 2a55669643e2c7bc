import type { IncomingHttpHeaders } from 'node:http'
import type { SiteRow } from '#features/sites/index.ts'
import { cleanLine } from '#platform/log/clean-line.ts'
import type { Scope } from '#platform/scope.ts'
import { askSite } from '../ask-site.ts'
import type { RestAnswer, RestCall } from './contract.ts'

const MOST_HEADERS = 60
const LONGEST_HEADER = 2_000

type Work = Pick<Scope, 'db' | 'hosts'> & { readonly signal?: AbortSignal | undefined }

const NOTHING: Omit<RestAnswer, 'durationMs'> = {
  status: null,
  statusText: '',
  contentType: '',
  headers: {},
  body: null,
  truncated: false,
  sizeBytes: 0,
  error: null,
}

/** Calls a REST route of a site from its own server. A call that fails is an answer too, with its `error`. */
export const callRest = async (work: Work, site: SiteRow, call: RestCall, timeoutMs: number): Promise<RestAnswer> => {
  const began = performance.now()
  const durationMs = () => Math.round(performance.now() - began)
  const tooLate = AbortSignal.timeout(timeoutMs)
  const stop = work.signal ? AbortSignal.any([work.signal, tooLate]) : tooLate
  try {
    const answer = await exchange(work, site, call, stop)
    return { ...NOTHING, ...answer, durationMs: durationMs() }
  } catch (error) {
    work.signal?.throwIfAborted()
    const reason = tooLate.aborted ? `no answer within ${timeoutMs / 1000} s` : messageOf(error)
    return { ...NOTHING, durationMs: durationMs(), error: reason }
  }
}

const messageOf = (error: unknown) => cleanLine(error instanceof Error ? error.message : String(error), 500)

const exchange = async (work: Work, site: SiteRow, call: RestCall, signal: AbortSignal) => {
  const body = call.body === undefined ? undefined : JSON.stringify(call.body)
  const { text, headers, contentType, ...answer } = await askSite({ ...work, signal }, site, {
    method: call.method,
    path: pathOf(call.route),
    headers: headersOf(call, body),
    body,
    isSecure: call.auth && true,
  })
  return { ...answer, contentType, headers: shownHeaders(headers), body: bodyOf(text, contentType, answer.truncated) }
}

/** Works whatever form of addresses the site uses. */
const pathOf = (route: string): string => {
  const { pathname, searchParams } = new URL(`http://site.invalid${route}`)
  searchParams.set('rest_route', decodeURI(pathname))
  return `/index.php?${searchParams.toString()}`
}

// WordPress takes application passwords only over HTTPS; this connection never leaves the server.
const headersOf = ({ auth }: RestCall, body: string | undefined) => {
  const login = auth && Buffer.from(`${auth.username}:${auth.applicationPassword}`).toString('base64')
  return {
    accept: 'application/json',
    ...(login !== undefined && { authorization: `Basic ${login}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
}

const shownHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .slice(0, MOST_HEADERS)
      .map(([name, value]) => [name, cleanLine([value].flat().join(', '), LONGEST_HEADER)]),
  )

const bodyOf = (text: string, contentType: string, truncated: boolean): unknown => {
  if (truncated || !/\bjson\b/.test(contentType)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
