import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Problem } from '#platform/contract/problem.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])
export const CSRF_HEADER = 'x-csrf-token'

/** The token a browser must send with every change; it follows from the session and cannot be made without the panel. */
export const csrfToken = (key: Buffer, sessionId: string): string =>
  createHmac('sha256', key).update(sessionId).digest('base64url')

/** Whether a browser sent this from a page of another site. Requests with an API key never come here. */
export const refuseCrossSite = (request: FastifyRequest, allowedOrigins: readonly string[]): void => {
  if (SAFE.has(request.method)) return
  const origin = request.headers.origin
  const site = request.headers['sec-fetch-site']
  const foreign =
    (origin !== undefined && !allowedOrigins.includes(origin)) ||
    (site !== undefined && site !== 'same-origin' && site !== 'none')
  if (foreign) throw new Problem('forbidden', 'This request came from another site. Open the panel and try again.')
}

/**
 * Browsers send cookies with a WebSocket to any site and let pages add no header of their own, so with a session the
 * page it comes from must be named and ours.
 */
export const requireOwnOrigin = (request: FastifyRequest, allowedOrigins: readonly string[]): void => {
  const { origin } = request.headers
  if (origin === undefined || !allowedOrigins.includes(origin))
    throw new Problem('forbidden', 'This WebSocket was opened by another site. Open the panel and try again.')
}

/** A change made with a session cookie must carry the session's own token. */
export const requireCsrfToken = (request: FastifyRequest, key: Buffer, sessionId: string): void => {
  if (SAFE.has(request.method)) return
  const expected = Buffer.from(csrfToken(key, sessionId))
  const given = Buffer.from(String(request.headers[CSRF_HEADER] ?? ''))
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new Problem('forbidden', `Send the session's token from GET /api/auth/session in the ${CSRF_HEADER} header.`)
  }
}
