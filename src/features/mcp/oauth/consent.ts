import { callingPerson, proofOf, randomToken, requireProof } from '#features/admins/index.ts'
import { hashToken } from '#features/panel/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Handlers, RequestScope } from '#platform/http/handlers.ts'
import type { Granted } from '../connections.ts'
import { requireKnownSites } from '../known-sites.ts'
import { mcpUrl } from '../setup/apps.ts'
import type { Asked, consent } from './contract.ts'
import { type ClientRow, findClient, insertCode } from './oauth-store.ts'
import { describeRedirect, fitsRedirectUri } from './redirect-uri.ts'

const CODE_VALID_MS = 60_000

/** The client that asks. One that is unknown, or would be answered elsewhere than it registered, is never answered at all. */
const clientOf = async (scope: RequestScope, { client_id, redirect_uri, resource }: Asked): Promise<ClientRow> => {
  const client = await findClient(scope.db, client_id)
  if (!client) throw new Problem('not_found', 'This app is not registered here. Remove it in the app and add it again.')
  if (!fitsRedirectUri(JSON.parse(client.redirect_uris) as string[], redirect_uri))
    throw new Problem('forbidden', 'This app asks to be answered at an address it did not register. Do not connect it.')
  if (resource !== undefined && resource !== mcpUrl(scope.installation.publicUrl))
    throw new Problem('forbidden', 'This app asks for access to something else than this panel. Do not connect it.')
  return client
}

/** Back to the app, which learns by `iss` who answers, so that no other server can pretend to. */
const returnUrl = (scope: RequestScope, { redirect_uri, state }: Asked, answer: Record<string, string>): string => {
  const url = new URL(redirect_uri)
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  if (state !== undefined) url.searchParams.set('state', state)
  url.searchParams.set('iss', scope.installation.publicUrl)
  return url.href
}

export const consentRoutes: Handlers<typeof consent> = {
  async mcpConsentGet({ query }, scope) {
    const client = await clientOf(scope, query)
    return {
      clientName: client.name,
      returnsTo: describeRedirect(query.redirect_uri),
      denyTo: returnUrl(scope, query, { error: 'access_denied' }),
      proof: proofOf(await callingPerson(scope)),
    }
  },

  async mcpConsentGive({ body: { asked, proof, siteSlugs, ...rest } }, scope) {
    const client = await clientOf(scope, asked)
    await requireKnownSites(scope, siteSlugs)
    const person = await requireProof(scope, proof)
    const code = randomToken()
    const now = scope.now()
    const granted: Granted = { ...rest, siteSlugs: siteSlugs ?? null }
    const row = {
      code_hash: hashToken(code),
      client_id: client.id,
      redirect_uri: asked.redirect_uri,
      challenge: asked.code_challenge,
      granted: JSON.stringify(granted),
      created_by: person.name,
      created_by_admin: person.id,
      expires_at: now + CODE_VALID_MS,
      connection_id: null,
    }
    await insertCode(scope.db, row, now)
    return { redirectTo: returnUrl(scope, asked, { code }) }
  },
}
