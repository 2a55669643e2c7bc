import { describeActor } from '#platform/access/actor.ts'
import type { Credentials, Identity } from '#platform/access/authenticator.ts'
import type { Access } from '#platform/contract/level.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Db, Memo } from '#platform/db/database.ts'
import { newId } from '#platform/db/id.ts'
import type { Scope } from '#platform/scope.ts'
import { findKey, findKeyByHash, insertKey, type KeyRow, keysOfOthers, revokeKey } from './key-store.ts'
import { hashToken, looksLikeKeyToken, newKeyToken, TOKEN_START_LENGTH } from './key-token.ts'

/** Cleared by every change to a key, so a revoked one is refused at the next request. */
export const KNOWN_KEYS = 'known-keys'

export interface NewKey {
  name: string
  access: Access
  createdBy: string
  createdByAdmin?: string | null | undefined
  expiresAt?: number | null | undefined
  now: number
}

/** Creates a key. Its token is in the return value and nowhere else. */
export const createKey = async (db: Db, asked: NewKey): Promise<{ row: KeyRow; token: string }> => {
  const token = newKeyToken(asked.access)
  const row: KeyRow = {
    id: newId(asked.now),
    name: asked.name,
    access: asked.access,
    token_hash: hashToken(token),
    token_start: token.slice(0, TOKEN_START_LENGTH),
    created_at: asked.now,
    created_by: asked.createdBy,
    created_by_admin: asked.createdByAdmin ?? null,
    last_used_at: null,
    last_used_from: null,
    revoked_at: null,
    expires_at: asked.expiresAt ?? null,
  }
  await insertKey(db, row)
  return { row, token }
}

/** What a key takes over from anyone who creates it: whose it is, and for a key that expires, until when at most. */
export const originOf = async (
  scope: Scope,
  expiresAt: number | null,
): Promise<Pick<NewKey, 'createdBy' | 'createdByAdmin' | 'expiresAt'>> => {
  const { actor } = scope
  if (expiresAt !== null && expiresAt <= scope.now()) throw expiryProblem('must be in the future')
  const parent = actor.kind === 'key' ? await findKey(scope.db, actor.id) : undefined
  const latest = parent?.expires_at ?? null
  // Otherwise a key could give itself a successor that never expires.
  if (latest !== null && expiresAt !== null && expiresAt > latest)
    throw expiryProblem('must not be later than the expiry of the key that creates it')
  return {
    createdBy: describeActor(actor),
    createdByAdmin: actor.kind === 'person' ? actor.id : (parent?.created_by_admin ?? null),
    expiresAt: expiresAt ?? latest,
  }
}

const expiryProblem = (message: string) =>
  new Problem('validation_error', `Expires at ${message}.`, [{ in: 'body', path: 'expiresAt', message }])

/** Revokes keys of one admin; refuses all of them when one is someone else's. */
export const revokeKeysOf = async (
  db: Db,
  { adminId, ids, now }: { adminId: string; ids: readonly string[]; now: number },
): Promise<void> => {
  if (ids.length === 0) return
  const [other] = await keysOfOthers(db, adminId, ids)
  if (other !== undefined)
    throw new Problem('not_found', "This admin didn't create that API key. Nothing was changed.", { key: other })
  for (const id of ids) await revokeKey(db, id, now)
}

/** Whether requests with it are answered. */
export const isKeyLive = (key: KeyRow, now: number): boolean => whyRefused(key, now) === undefined

const whyRefused = ({ revoked_at, expires_at }: KeyRow, now: number): 'revoked' | 'expired' | undefined => {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && expires_at <= now ? 'expired' : undefined
}

export const isLiveKey = async (scope: Scope, tokenHash: string): Promise<boolean> => {
  const key = await findKeyByHash(scope.db, tokenHash)
  return key !== undefined && isKeyLive(key, scope.now())
}

export const authenticateKey = async ({ bearer }: Credentials, scope: Scope): Promise<Identity | undefined> => {
  if (bearer === undefined || !looksLikeKeyToken(bearer)) return undefined
  const key = await lookUp(hashToken(bearer), scope.db, scope.memo<KeyRow>(KNOWN_KEYS))
  if (!key) return undefined
  const { id, name, access } = key
  const why = whyRefused(key, scope.now())
  if (why) return { actor: { kind: 'anonymous' }, refusedKey: { kind: 'key', id, name, why } }
  return { actor: { kind: 'key', id, name, level: access } }
}

const lookUp = async (hash: string, db: Db, known: Memo<KeyRow>) => {
  const kept = known.get(hash)
  if (kept) return kept
  const found = await findKeyByHash(db, hash)
  if (found) known.set(hash, found)
  return found
}
