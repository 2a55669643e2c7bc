import { createHash, timingSafeEqual } from 'node:crypto'
import { hashToken, looksLikeConnectionToken, newConnectionToken } from '#features/panel/index.ts'
import type { Scope } from '#platform/scope.ts'
import { findConnection, revokeConnection } from '../connection-store.ts'
import { createConnection, type Granted, KNOWN_CONNECTIONS } from '../connections.ts'
import { creatorState } from '../creator.ts'
import { mcpUrl } from '../setup/apps.ts'
import { OAuthError } from './oauth-error.ts'
import {
  type CodeRow,
  deleteAccessTokens,
  findCode,
  findToken,
  insertTokens,
  spendCode,
  spendRefreshToken,
} from './oauth-store.ts'

const ACCESS_VALID_S = 3600
/** An app that was not used for so long has to ask again. */
const REFRESH_VALID_MS = 90 * 86_400_000

type Form = Readonly<Record<string, string>>

const badGrant = (description: string) => new OAuthError('invalid_grant', description)

const field = (form: Form, name: string): string => {
  const value = form[name]
  if (value === undefined || value === '') throw new OAuthError('invalid_request', `${name} is required.`)
  return value
}

/** A token is only ever for this panel. */
const requireOwnResource = (scope: Scope, { resource }: Form) => {
  if (resource !== undefined && resource !== mcpUrl(scope.installation.publicUrl))
    throw new OAuthError('invalid_target', 'Tokens from here are for this panel only.')
}

const fitsChallenge = (challenge: string, verifier: string): boolean => {
  const [expected, given] = [Buffer.from(challenge), createHash('sha256').update(verifier).digest('base64url')]
  return /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) && timingSafeEqual(expected, Buffer.from(given))
}

/** Gives tokens for a code from the consent page, or new ones for a refresh token. */
export const giveTokens = async (scope: Scope, form: Form) => {
  requireOwnResource(scope, form)
  const grant = field(form, 'grant_type')
  if (grant === 'authorization_code') return tokensForCode(scope, form)
  if (grant === 'refresh_token') return tokensForRefresh(scope, form)
  throw new OAuthError('unsupported_grant_type', 'Use authorization_code or refresh_token.')
}

/** Someone has a copy of what works only once, so whatever came of it ends. */
const endConnection = async (scope: Scope, id: string) => {
  await revokeConnection(scope.db, id, scope.now())
  scope.memo(KNOWN_CONNECTIONS).clear()
}

const codeFor = async (scope: Scope, form: Form): Promise<CodeRow> => {
  const row = await findCode(scope.db, hashToken(field(form, 'code')))
  if (!row || row.client_id !== field(form, 'client_id')) throw badGrant('This code is unknown.')
  if (row.connection_id !== null) {
    await endConnection(scope, row.connection_id)
    throw badGrant('This code was used already.')
  }
  if (row.expires_at <= scope.now()) throw badGrant('This code has expired.')
  if (row.redirect_uri !== field(form, 'redirect_uri')) throw badGrant('redirect_uri is another one than before.')
  if ((await creatorState(scope, { ...row, created_by_key: null })) !== 'active')
    throw badGrant('The person who allowed this is locked or was removed.')
  if (!fitsChallenge(row.challenge, field(form, 'code_verifier'))) throw badGrant("code_verifier doesn't fit.")
  return row
}

const tokensForCode = async (scope: Scope, form: Form) => {
  const row = await codeFor(scope, form)
  const granted = JSON.parse(row.granted) as Granted
  const creator = { name: row.created_by, admin: row.created_by_admin, key: null }
  const connection = await createConnection(scope, granted, null, creator)
  if (!(await spendCode(scope.db, row.code_hash, connection.id))) {
    await endConnection(scope, connection.id)
    throw badGrant('This code was used already.')
  }
  return newTokens(scope, connection.id, row.client_id, granted.access)
}

const tokensForRefresh = async (scope: Scope, form: Form) => {
  const given = field(form, 'refresh_token')
  const row = looksLikeConnectionToken(given, 'rt') ? await findToken(scope.db, hashToken(given)) : undefined
  if (!row || row.client_id !== field(form, 'client_id')) throw badGrant('This refresh token is unknown.')
  if (!(await spendRefreshToken(scope.db, row.token_hash, scope.now()))) {
    await endConnection(scope, row.connection_id)
    throw badGrant('This refresh token was used already.')
  }
  const connection = await findConnection(scope.db, row.connection_id)
  const isOver = !connection || connection.revoked_at !== null || (await creatorState(scope, connection)) === 'gone'
  if (isOver || row.expires_at <= scope.now()) throw badGrant('This connection was revoked or has expired.')
  await deleteAccessTokens(scope.db, connection.id)
  scope.memo(KNOWN_CONNECTIONS).clear()
  return newTokens(scope, connection.id, row.client_id, connection.access)
}

const newTokens = async (scope: Scope, connectionId: string, clientId: string, access: string) => {
  const now = scope.now()
  const [accessToken, refreshToken] = [newConnectionToken('at'), newConnectionToken('rt')]
  const of = { connection_id: connectionId, client_id: clientId, used_at: null }
  await insertTokens(scope.db, [
    { ...of, token_hash: hashToken(accessToken), kind: 'access', expires_at: now + ACCESS_VALID_S * 1000 },
    { ...of, token_hash: hashToken(refreshToken), kind: 'refresh', expires_at: now + REFRESH_VALID_MS },
  ])
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: ACCESS_VALID_S,
    refresh_token: refreshToken,
    scope: access,
  }
}

/** The app signs out (RFC 7009): whatever token it shows, the connection ends. Unknown ones are no error. */
export const revokeToken = async (scope: Scope, form: Form): Promise<void> => {
  const row = await findToken(scope.db, hashToken(field(form, 'token')))
  if (!row || (form.client_id !== undefined && form.client_id !== row.client_id)) return
  await endConnection(scope, row.connection_id)
}
