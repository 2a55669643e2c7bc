import type { FastifyRequest } from 'fastify'
import type { Actor } from '#platform/access/actor.ts'
import { addressGroup } from '#platform/access/address.ts'
import type { Authenticator, Identity } from '#platform/access/authenticator.ts'
import { Problem } from '#platform/contract/problem.ts'
import { refuseCrossSite, requireCsrfToken } from './cross-site.ts'
import { readSessionCookie } from './session-cookie.ts'

const BEARER = /^Bearer ([\x21-\x7e]{1,200})$/i

/**
 * Who sends this request. A request with an Authorization header is judged by it alone: a wrong key is never made good
 * by a cookie. Everything else is a browser and must come from the panel's own pages.
 */
export const identifier = (
  authenticators: readonly Authenticator[],
  allowedOrigins: readonly string[],
  csrfKey: Buffer,
  now: () => number,
) => {
  const ask = async (bearer: string | undefined, sessionToken: string | undefined): Promise<Identity> => {
    for (const authenticate of authenticators) {
      const identity = await authenticate({ bearer, sessionToken }, now())
      if (identity) return identity
    }
    return { actor: { kind: 'anonymous' } }
  }
  return async (request: FastifyRequest): Promise<Identity> => {
    const header = request.headers.authorization
    if (header !== undefined) return ask(BEARER.exec(header)?.[1] ?? '', undefined)
    refuseCrossSite(request, allowedOrigins)
    const sessionToken = readSessionCookie(request.headers.cookie)
    if (sessionToken === undefined) return { actor: { kind: 'anonymous' } }
    const identity = await ask(undefined, sessionToken)
    if (identity.actor.kind === 'person') requireCsrfToken(request, csrfKey, identity.actor.sessionId)
    return identity
  }
}

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
