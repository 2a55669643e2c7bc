import { findAdmin } from '#features/admins/index.ts'
import { findKey, isKeyLive } from '#features/panel/index.ts'
import { type Actor, describeActor } from '#platform/access/actor.ts'
import type { Scope } from '#platform/scope.ts'
import type { ConnectionRow } from './connection-store.ts'
import type { CREATOR_STATES } from './contract.ts'

/** Who created a connection: a person or a key. */
export interface Creator {
  name: string
  admin: string | null
  key: string | null
}

export const creatorOf = (actor: Actor): Creator => ({
  name: describeActor(actor),
  admin: actor.kind === 'person' ? actor.id : null,
  key: actor.kind === 'key' ? actor.id : null,
})

export type CreatorState = (typeof CREATOR_STATES)[number]

/**
 * Whether the creator still has the rights that the connection was given. Never remembered: the account or key belongs
 * to another feature, and what changes there has to count at the next call.
 */
export const creatorState = async (
  scope: Pick<Scope, 'db' | 'now'>,
  { created_by_admin, created_by_key }: Pick<ConnectionRow, 'created_by_admin' | 'created_by_key'>,
): Promise<CreatorState> => {
  if (created_by_key !== null) {
    const key = await findKey(scope.db, created_by_key)
    return key && isKeyLive(key, scope.now()) ? 'active' : 'gone'
  }
  if (created_by_admin === null) return 'active'
  const admin = await findAdmin(scope.db, created_by_admin)
  if (!admin) return 'gone'
  return admin.disabled === 1 ? 'locked' : 'active'
}
