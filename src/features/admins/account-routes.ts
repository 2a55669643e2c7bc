import { Problem } from '#platform/contract/problem.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import { findAdminByEmail, updateAdmin } from './admin-store.ts'
import { attempt, WRONG_CODES_ALLOWED } from './attempts.ts'
import { type admins, Preferences } from './contract.ts'
import { newLink, sendLater } from './links.ts'
import { callingPerson, currentSession, requireOwnPassword } from './own-password.ts'
import { hashPassword } from './password.ts'
import { listSessions } from './session-store.ts'
import { endSessions, KNOWN_SESSIONS } from './sessions.ts'
import { showAdmin } from './show.ts'
import { deleteTokensOf } from './token-store.ts'
import { acceptTotpCode, newRecoveryCodes, newTotp, sealTotp } from './totp.ts'

type AccountHandlers = Pick<
  Handlers<typeof admins>,
  | 'accountUpdate'
  | 'accountPassword'
  | 'accountEmail'
  | 'accountTotpBegin'
  | 'accountTotpEnable'
  | 'accountTotpDisable'
  | 'accountSessions'
>

/** What people do with their own account. */
export const accountRoutes: AccountHandlers = {
  async accountUpdate({ body }, scope) {
    const person = await callingPerson(scope)
    const preferences = { ...Preferences.parse(JSON.parse(person.preferences)), ...body.preferences }
    const changes = { name: body.name ?? person.name, preferences: JSON.stringify(preferences) }
    await updateAdmin(scope.db, person.id, changes)
    scope.memo(KNOWN_SESSIONS).clear()
    return { admin: showAdmin({ ...person, ...changes }) }
  },

  async accountPassword({ body }, scope) {
    const person = await requireOwnPassword(scope, body.password)
    await updateAdmin(scope.db, person.id, { password_hash: await hashPassword(body.newPassword) })
    // Whoever signs in half way with the old password, or holds a link to replace it, starts again.
    await deleteTokensOf(scope.db, person.id, ['login', 'reset'])
    await endSessions(scope, person.id, { except: currentSession(scope) })
    return { ok: true }
  },

  async accountEmail({ body }, scope) {
    const person = await requireOwnPassword(scope, body.password)
    if (await findAdminByEmail(scope.db, body.email))
      throw new Problem('conflict', 'Somebody uses this address already.')
    sendLater(scope, async () => ({
      to: body.email,
      subject: 'Confirm your address',
      text: `Confirm within a day that you sign in to ${scope.place.publicUrl} with this address:\n${await newLink(scope, 'email', person.id, body.email)}`,
    }))
    return { ok: true }
  },

  async accountTotpBegin({ body }, scope) {
    const person = await requireOwnPassword(scope, body.password)
    if (person.totp_sealed !== null)
      throw new Problem('conflict', 'You have a second factor already. Switch it off first to enrol a new one.')
    const begun = newTotp(person.email)
    await updateAdmin(scope.db, person.id, { totp_pending_sealed: sealTotp(scope, person.id, begun.secret) })
    return begun
  },

  async accountTotpEnable({ body }, scope) {
    const person = await callingPerson(scope)
    const pending = person.totp_pending_sealed
    if (pending === null) throw new Problem('conflict', 'Begin the enrolment first with POST /api/account/totp.')
    await attempt(scope, `totp:${person.id}`, WRONG_CODES_ALLOWED, async () => {
      if (!(await acceptTotpCode(scope, person, pending, body.code)))
        throw new Problem('forbidden', 'This code is wrong or was used already. Wait for the next one.')
    })
    const { codes, stored } = newRecoveryCodes()
    await updateAdmin(scope.db, person.id, { totp_sealed: pending, totp_pending_sealed: null, recovery_codes: stored })
    await endSessions(scope, person.id, { except: currentSession(scope) })
    return { recoveryCodes: codes }
  },

  async accountTotpDisable({ body }, scope) {
    const person = await requireOwnPassword(scope, body.password)
    await updateAdmin(scope.db, person.id, { totp_sealed: null, totp_pending_sealed: null, recovery_codes: '[]' })
    await endSessions(scope, person.id, { except: currentSession(scope) })
    return { ok: true }
  },

  async accountSessions(_, scope) {
    const person = await callingPerson(scope)
    const sessions = await listSessions(scope.db, person.id, scope.now())
    const items = sessions.map(session => ({
      id: session.id,
      current: session.id === currentSession(scope),
      createdAt: session.created_at,
      lastSeenAt: session.last_seen_at,
      expiresAt: session.expires_at,
      address: session.address,
      userAgent: session.user_agent,
    }))
    return { items }
  },
}
