import type { FastifyInstance, FastifyReply } from 'fastify'
import { addressGroup } from '#platform/access/address.ts'
import { RateLimit } from '#platform/http/rate-limit.ts'
import type { Scope } from '#platform/scope.ts'
import { resourceMetadata, serverMetadata } from './metadata.ts'
import { OAuthError } from './oauth-error.ts'
import { registerClient } from './register.ts'
import { giveTokens, revokeToken } from './token.ts'

const BODY_LIMIT = 16_384
const REGISTRATIONS = { requests: 20, windowMs: 3_600_000 }
const FORM = 'application/x-www-form-urlencoded'

const open = { level: 'none' } as const

/** Adds what apps need to sign in through the browser; the consent page itself is one of the browser interface. */
export const serveOAuth = (server: FastifyInstance, scope: Scope): void => {
  const { publicUrl } = scope.installation
  for (const path of ['', '/mcp'])
    server.get(`/.well-known/oauth-protected-resource${path}`, { config: open }, async () =>
      resourceMetadata(publicUrl),
    )
  for (const path of ['', '/mcp'])
    server.get(`/.well-known/oauth-authorization-server${path}`, { config: open }, async () =>
      serverMetadata(publicUrl),
    )
  const registrations = new RateLimit(REGISTRATIONS, scope.now)
  server.post('/oauth/register', { config: open, bodyLimit: BODY_LIMIT }, async (request, reply) => {
    registrations.take(addressGroup(request.caller.address))
    return answer(reply, 201, () => registerClient(scope, request.body))
  })
  void server.register(async place => {
    takeForms(place)
    place.post('/oauth/token', { config: { ...open, bodyType: FORM }, bodyLimit: BODY_LIMIT }, async (request, reply) =>
      answer(reply, 200, () => giveTokens(scope, formOf(request.body))),
    )
    place.post(
      '/oauth/revoke',
      { config: { ...open, bodyType: FORM }, bodyLimit: BODY_LIMIT },
      async (request, reply) =>
        answer(reply, 200, async () => {
          await revokeToken(scope, formOf(request.body))
          return {}
        }),
    )
  })
}

/** Forms are only taken here, where no cookie means anything. */
const takeForms = (place: FastifyInstance) => {
  place.removeAllContentTypeParsers()
  place.addContentTypeParser<string>(FORM, { parseAs: 'string' }, (_, text, done) =>
    done(null, Object.fromEntries(new URLSearchParams(text))),
  )
}

const formOf = (body: unknown): Record<string, string> => (body ?? {}) as Record<string, string>

const answer = async (reply: FastifyReply, status: number, work: () => Promise<object>): Promise<FastifyReply> => {
  try {
    return reply.code(status).send(await work())
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    return reply.code(error.status).send(error.toBody())
  }
}
