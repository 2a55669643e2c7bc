import { hashToken, looksLikeConnectionToken, newConnectionToken, TOKEN_START_LENGTH } from '#features/panel/index.ts'
import type { ConnectionActor } from '#platform/access/actor.ts'
import type { Credentials, Identity, RefusedKey } from '#platform/access/authenticator.ts'
import type { Access } from '#platform/contract/level.ts'
import { newId } from '#platform/db/id.ts'
import type { Scope } from '#platform/scope.ts'
import { type ConnectionRow, findConnection, findConnectionByToken, insertConnection } from './connection-store.ts'
import { type Creator, type CreatorState, creatorOf, creatorState } from './creator.ts'
import { findToken } from './oauth/oauth-store.ts'

/** Cleared by every change to a connection, so one that was paused or revoked is refused at the next call. */
export const KNOWN_CONNECTIONS = 'known-mcp-connections'

export interface Granted {
  name: string
  access: Access
  allowDangerous: boolean
  siteSlugs: readonly string[] | null
}

export const siteSlugsOf = ({ site_slugs }: ConnectionRow): string[] | null =>
  site_slugs === null ? null : (JSON.parse(site_slugs) as string[])

/** Creates a connection with this token, or for an app that signs in, without one. */
export const createConnection = async (
  scope: Scope,
  { name, access, allowDangerous, siteSlugs }: Granted,
  token: string | null,
  creator: Creator = creatorOf(scope.actor),
): Promise<ConnectionRow> => {
  const now = scope.now()
  const row: ConnectionRow = {
    id: newId(now),
    name,
    access,
    allow_dangerous: allowDangerous ? 1 : 0,
    site_slugs: siteSlugs && JSON.stringify([...new Set(siteSlugs)]),
    token_hash: token && hashToken(token),
    token_start: token && token.slice(0, TOKEN_START_LENGTH),
    client: null,
    created_at: now,
    created_by: creator.name,
    created_by_admin: creator.admin,
    created_by_key: creator.key,
    last_used_at: null,
    last_used_from: null,
    paused_at: null,
    revoked_at: null,
  }
  await insertConnection(scope.db, row)
  return row
}

export const newToken = (): string => newConnectionToken('ai')

const identityOf = ({ row, expiresAt }: Known, creator: CreatorState, now: number): Identity => {
  const { id, name } = row
  const why = refusalOf(row, creator) ?? (expiresAt !== null && expiresAt <= now ? 'expired' : undefined)
  if (why) return { actor: { kind: 'anonymous' }, refusedKey: { kind: 'connection', id, name, why } }
  return { actor: actorOf(row) }
}

const refusalOf = ({ revoked_at, paused_at }: ConnectionRow, creator: CreatorState): RefusedKey['why'] | undefined => {
  if (revoked_at !== null || creator === 'gone') return 'revoked'
  if (creator === 'locked') return 'creator-locked'
  return paused_at === null ? undefined : 'paused'
}

const actorOf = (row: ConnectionRow): ConnectionActor => ({
  kind: 'connection',
  id: row.id,
  name: row.name,
  level: row.access,
  sites: siteSlugsOf(row),
  allowDangerous: row.allow_dangerous === 1,
})

/** A connection, and until when what it showed is good; null for ever. */
interface Known {
  row: ConnectionRow
  expiresAt: number | null
}

const lookUp = async (scope: Scope, key: string, find: () => Promise<Known | undefined>) => {
  const known = scope.memo<Known>(KNOWN_CONNECTIONS)
  const kept = known.get(key)
  if (kept) return kept
  const found = await find()
  if (found) known.set(key, found)
  return found
}

const always = (row: ConnectionRow | undefined): Known | undefined => row && { row, expiresAt: null }

const findByAccessToken = async (scope: Scope, hash: string): Promise<Known | undefined> => {
  const token = await findToken(scope.db, hash)
  const row = token?.kind === 'access' ? await findConnection(scope.db, token.connection_id) : undefined
  return token && row && { row, expiresAt: token.expires_at }
}

export const authenticateConnection = async ({ bearer }: Credentials, scope: Scope): Promise<Identity | undefined> => {
  if (bearer === undefined) return undefined
  const isSignedIn = looksLikeConnectionToken(bearer, 'at')
  if (!isSignedIn && !looksLikeConnectionToken(bearer, 'ai')) return undefined
  const hash = hashToken(bearer)
  const known = await lookUp(scope, hash, async () =>
    isSignedIn ? findByAccessToken(scope, hash) : always(await findConnectionByToken(scope.db, hash)),
  )
  return known && identityOf(known, await creatorState(scope, known.row), scope.now())
}

/** The connection as it is now; undefined once it is paused or revoked, or its creator is locked or gone. */
export const liveConnection = async (scope: Scope, id: string): Promise<ConnectionActor | undefined> => {
  const known = await lookUp(scope, id, async () => always(await findConnection(scope.db, id)))
  if (!known || refusalOf(known.row, await creatorState(scope, known.row)) !== undefined) return undefined
  return actorOf(known.row)
}
