import type { Actor } from './actor.ts'

/** What a request brings to say who it is. */
export interface Credentials {
  bearer: string | undefined
  sessionToken: string | undefined
}

/** A key or AI connection that is known but not valid: refused, yet its owner sees the attempt in the activity log. */
export interface RefusedKey {
  kind: 'key' | 'connection'
  id: string
  name: string
  why: 'revoked' | 'expired' | 'paused' | 'creator-locked'
}

export interface Identity {
  actor: Actor
  refusedKey?: RefusedKey
}

/** One way to be known. Returns undefined when it cannot tell, so the caller stays anonymous. */
export type Authenticator = (credentials: Credentials, now: number) => Promise<Identity | undefined>
