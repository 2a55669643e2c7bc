import type { Credentials, Identity } from '#platform/access/authenticator.ts'
import type { Access } from '#platform/contract/level.ts'
import type { Db, Memo } from '#platform/db/database.ts'
import { newId } from '#platform/db/id.ts'
import type { Scope } from '#platform/scope.ts'
import { findKeyByHash, insertKey, type KeyRow } from './key-store.ts'
import { hashToken, looksLikeKeyToken, newKeyToken, TOKEN_START_LENGTH } from './key-token.ts'

/** Cleared by every change to a key, so a revoked one is refused at the next request. */
export const KNOWN_KEYS = 'known-keys'

/** Makes a key. Its token is in the return value and nowhere else. */
export const createKey = async (
  db: Db,
  asked: { name: string; access: Access; createdBy: string; now: number },
): Promise<{ row: KeyRow; token: string }> => {
  const token = newKeyToken(asked.access)
  const row: KeyRow = {
    id: newId(asked.now),
    name: asked.name,
    access: asked.access,
    token_hash: hashToken(token),
    token_start: token.slice(0, TOKEN_START_LENGTH),
    created_at: asked.now,
    created_by: asked.createdBy,
    last_used_at: null,
    last_used_from: null,
    revoked_at: null,
  }
  await insertKey(db, row)
  return { row, token }
}

export const authenticateKey = async ({ bearer }: Credentials, scope: Scope): Promise<Identity | undefined> => {
  if (bearer === undefined || !looksLikeKeyToken(bearer)) return undefined
  const key = await lookUp(hashToken(bearer), scope.db, scope.memo<KeyRow>(KNOWN_KEYS))
  if (!key) return undefined
  const { id, name, access } = key
  if (key.revoked_at !== null) return { actor: { kind: 'anonymous' }, refusedKey: { id, name } }
  return { actor: { kind: 'key', id, name, level: access } }
}

const lookUp = async (hash: string, db: Db, known: Memo<KeyRow>) => {
  const kept = known.get(hash)
  if (kept) return kept
  const found = await findKeyByHash(db, hash)
  if (found) known.set(hash, found)
  return found
}
