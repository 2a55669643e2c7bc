import type { FastifyRequest } from 'fastify'
import type { Actor } from '#platform/access/actor.ts'
import { addressGroup } from '#platform/access/address.ts'
import type { Authenticator, Credentials, Identity } from '#platform/access/authenticator.ts'
import { Problem } from '#platform/contract/problem.ts'
import { refuseCrossSite, requireCsrfToken, requireOwnOrigin } from './cross-site.ts'
import { readSessionCookie } from './session-cookie.ts'

const BEARER = /^Bearer ([\x21-\x7e]{1,200})$/i

export interface Identifier {
  /**
   * Who sends this request. A request with an Authorization header is judged by it alone: a wrong key is never made
   * good by a cookie. Everything else is a browser and must come from the panel's own pages.
   */
  identify(request: FastifyRequest): Promise<Identity>
  /** Who that is by now: for what stays open after the request was let in. */
  identifyAgain(request: FastifyRequest): Promise<Identity>
}

export const identifier = (
  authenticators: readonly Authenticator[],
  allowedOrigins: readonly string[],
  csrfKey: Buffer,
  now: () => number,
): Identifier => {
  const ask = async (credentials: Credentials): Promise<Identity> => {
    for (const authenticate of authenticators) {
      const identity = await authenticate(credentials, now())
      if (identity) return identity
    }
    return { actor: { kind: 'anonymous' } }
  }
  const identify = async (request: FastifyRequest): Promise<Identity> => {
    const credentials = credentialsOf(request)
    if (credentials.bearer !== undefined) return ask(credentials)
    refuseCrossSite(request, allowedOrigins)
    if (credentials.sessionToken === undefined) return { actor: { kind: 'anonymous' } }
    const identity = await ask(credentials)
    if (identity.actor.kind !== 'person') return identity
    if (request.routeOptions.config.isSocket) requireOwnOrigin(request, allowedOrigins)
    else requireCsrfToken(request, csrfKey, identity.actor.sessionId)
    return identity
  }
  return { identify, identifyAgain: request => ask(credentialsOf(request)) }
}

const credentialsOf = ({ headers }: FastifyRequest): Credentials =>
  headers.authorization === undefined
    ? { bearer: undefined, sessionToken: readSessionCookie(headers.cookie) }
    : { bearer: BEARER.exec(headers.authorization)?.[1] ?? '', sessionToken: undefined }

/** Whom a rate limit counts: the key, the person, or else the address. */
export const callerId = (actor: Actor, address: string): string =>
  actor.kind === 'key' || actor.kind === 'person' ? `${actor.kind}:${actor.id}` : `address:${addressGroup(address)}`

export const refuseWrongKey = (request: FastifyRequest, actor: Actor): void => {
  if (actor.kind === 'anonymous' && request.headers.authorization !== undefined) {
    throw new Problem(
      'unauthorized',
      'This API key is unknown or was revoked. Create a new one under Settings, API keys.',
    )
  }
}
