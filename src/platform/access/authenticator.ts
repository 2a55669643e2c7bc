import type { Actor } from './actor.ts'

/** What a request brings to say who it is. */
export interface Credentials {
  bearer: string | undefined
  sessionToken: string | undefined
}

export interface Identity {
  actor: Actor
  /** A key that is known but no longer valid: refused, yet its owner sees the attempt in the activity log. */
  refusedKey?: { id: string; name: string }
}

/** One way to be known. Returns undefined when it cannot tell, so the caller stays anonymous. */
export type Authenticator = (credentials: Credentials, now: number) => Promise<Identity | undefined>
