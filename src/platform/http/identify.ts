import type { FastifyRequest } from 'fastify'
import type { Actor } from '#platform/access/actor.ts'
import { addressGroup } from '#platform/access/address.ts'
import type { Authenticator, Credentials, Identity, RefusedKey } from '#platform/access/authenticator.ts'
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

/** Whom a rate limit counts: the key, the AI connection, the person, or else the address. */
export const callerId = (actor: Actor, address: string): string => {
  if (actor.kind === 'anonymous' || actor.kind === 'system') return `address:${addressGroup(address)}`
  // What an AI app says is counted apart from the calls it makes, or each call would count twice.
  return `${actor.kind}:${actor.id}${actor.kind === 'connection' && !actor.call ? ':messages' : ''}`
}

export const refuseWrongKey = ({ headers, identity: { actor, refusedKey } }: FastifyRequest): void => {
  if (actor.kind !== 'anonymous' || headers.authorization === undefined) return
  if (refusedKey?.kind === 'connection') throw refusedConnection(refusedKey.why)
  const why = refusedKey ? `has ${refusedKey.why === 'expired' ? 'expired' : 'been revoked'}` : 'is unknown'
  throw new Problem(
    'unauthorized',
    `This API key ${why}. Create a new one under Settings, API keys.`,
    refusedKey ? { reason: refusedKey.why } : null,
  )
}

/** An app that gets 401 signs in again, so one that is only held back gets 403. */
const refusedConnection = (reason: RefusedKey['why']): Problem => {
  const heldBack = HELD_BACK[reason]
  if (heldBack !== undefined) return new Problem('forbidden', heldBack, { reason })
  const why = reason === 'expired' ? 'has to sign in again' : 'was revoked'
  return new Problem(
    'unauthorized',
    `This AI connection ${why}. Connect the app again under Settings, AI connections.`,
    { reason },
  )
}

const HELD_BACK: Partial<Record<RefusedKey['why'], string>> = {
  paused: 'This AI connection is paused. Resume it under Settings, AI connections.',
  'creator-locked': 'The admin who created this AI connection is locked. Unlock them under Settings, Admins.',
}
