import { z } from 'zod'
import { newId } from '#platform/db/id.ts'
import { cleanLine } from '#platform/log/clean-line.ts'
import type { Scope } from '#platform/scope.ts'
import { OAuthError } from './oauth-error.ts'
import { countClientsNeverAllowed, insertClient } from './oauth-store.ts'
import { isRedirectUri } from './redirect-uri.ts'

/** Anyone may register, so what is kept of those whom no one ever allowed anything has a limit. */
const NEVER_ALLOWED_AT_MOST = 1000
const NAME_MAX = 80

const Registration = z.object({
  client_name: z.string().max(500).optional(),
  redirect_uris: z.array(z.string().max(500)).min(1).max(10),
  grant_types: z.array(z.string().max(100)).max(10).optional(),
  response_types: z.array(z.string().max(100)).max(10).optional(),
  token_endpoint_auth_method: z.string().max(50).optional(),
})

/** Registers an app (RFC 7591). It gets an id and no secret: PKCE is what protects it. */
export const registerClient = async (scope: Scope, body: unknown) => {
  const parsed = Registration.safeParse(body)
  if (!parsed.success) throw new OAuthError('invalid_client_metadata', 'Send redirect_uris, a list of addresses.')
  const { client_name, redirect_uris } = parsed.data
  if (!redirect_uris.every(isRedirectUri))
    throw new OAuthError('invalid_redirect_uri', 'Use https, a loopback address, or the scheme of an installed app.')
  if ((await countClientsNeverAllowed(scope.db)) >= NEVER_ALLOWED_AT_MOST)
    throw new OAuthError('temporarily_unavailable', 'Too many apps registered today. Try again tomorrow.')
  const now = scope.now()
  const id = newId(now)
  const name = cleanLine(client_name ?? '', NAME_MAX).trim() || 'An app without a name'
  await insertClient(scope.db, {
    id,
    name,
    redirect_uris: JSON.stringify(redirect_uris),
    created_at: now,
    allowed_at: null,
  })
  return {
    client_id: id,
    client_id_issued_at: Math.floor(now / 1000),
    client_name: name,
    redirect_uris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}
