import { hash, randomBytes } from 'node:crypto'
import type { Credentials, Identity } from '#platform/access/authenticator.ts'
import { newId } from '#platform/db/id.ts'
import { isDatabaseUnwritable } from '#platform/db/unwritable.ts'
import { csrfToken } from '#platform/http/cross-site.ts'
import type { RequestScope } from '#platform/http/handlers.ts'
import type { Scope } from '#platform/scope.ts'
import { updateAdmin } from './admin-store.ts'
import { rememberCaller } from './known-addresses.ts'
import { deleteSessionsOf, findSession, insertSession, touchSession, type WhichSessions } from './session-store.ts'

/** Cleared by every change to a session or a person, so what was ended is refused at the next request. */
export const KNOWN_SESSIONS = 'known-sessions'

const DAY_MS = 86_400_000
const IDLE_MS = 7 * DAY_MS
const AT_MOST_MS = 30 * DAY_MS
const TOUCH_EVERY_MS = 60_000

type KnownSession = NonNullable<Awaited<ReturnType<typeof findSession>>>

export const randomToken = (): string => randomBytes(32).toString('base64url')
export const hashOf = (token: string): string => hash('sha256', token, 'hex')

export const csrfTokenOf = (scope: Scope, sessionId: string): string =>
  csrfToken(scope.secrets.derive('csrf'), sessionId)

/** Signs a person in: always a new session, so an id from before means nothing afterwards. */
export const startSession = async (scope: RequestScope, adminId: string): Promise<{ csrfToken: string }> => {
  const token = randomToken()
  const now = scope.now()
  const id = newId(now)
  await insertSession(scope.db, {
    id,
    token_hash: hashOf(token),
    admin_id: adminId,
    created_at: now,
    last_seen_at: now,
    expires_at: now + IDLE_MS,
    address: scope.caller.address,
    user_agent: scope.caller.userAgent,
  })
  await updateAdmin(scope.db, adminId, { last_login_at: now })
  await rememberCaller(scope, adminId)
  scope.browser.signIn(token)
  return { csrfToken: csrfTokenOf(scope, id) }
}

/** Ends a person's sessions at once, here and, on a shared database, in every panel process. */
export const endSessions = async (scope: Scope, adminId: string, which: WhichSessions = {}): Promise<number> => {
  const ended = await deleteSessionsOf(scope.db, adminId, which)
  scope.memo(KNOWN_SESSIONS).clear()
  return ended
}

export const authenticateSession = async (
  { sessionToken }: Credentials,
  scope: Scope,
): Promise<Identity | undefined> => {
  if (sessionToken === undefined) return undefined
  const known = scope.memo<KnownSession>(KNOWN_SESSIONS)
  const hash = hashOf(sessionToken)
  const session = known.get(hash) ?? (await findSession(scope.db, hash))
  const now = scope.now()
  if (!session || session.expires_at <= now) return undefined
  known.set(hash, session)
  if (now - session.last_seen_at > TOUCH_EVERY_MS) await touch(scope, session, now)
  return { actor: { kind: 'person', id: session.admin_id, name: session.name, sessionId: session.id, level: 'full' } }
}

const touch = async (scope: Scope, session: KnownSession, now: number) => {
  session.last_seen_at = now
  session.expires_at = Math.min(now + IDLE_MS, session.created_at + AT_MOST_MS)
  // A disk that takes nothing must not keep people from looking.
  await touchSession(scope.db, session.id, now, session.expires_at).catch((error: unknown) => {
    if (!isDatabaseUnwritable(error)) throw error
  })
}
