import { Problem } from '#platform/contract/problem.ts'
import type { Handlers, RequestScope } from '#platform/http/handlers.ts'
import { findAdminByEmail, updateAdmin } from './admin-store.ts'
import { attempt, WRONG_CODES_ALLOWED } from './attempts.ts'
import { type admins, Preferences } from './contract.ts'
import { newLink, sendLater } from './links.ts'
import { callingPerson, currentSession, requireOwnPassword } from './own-password.ts'
import { hashNewPassword } from './password.ts'
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

/** New recovery codes for a second factor that stays as it is. */
const renewRecoveryCodes = async (scope: RequestScope, password: string) => {
  const person = await requireOwnPassword(scope, password)
  if (person.totp_sealed === null)
    throw new Problem('conflict', 'Two-factor authentication is off. Set it up to get recovery codes.')
  const { codes, stored } = newRecoveryCodes()
  await updateAdmin(scope.db, person.id, { recovery_codes: stored })
  return { recoveryCodes: codes }
}

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
    await updateAdmin(scope.db, person.id, { password_hash: await hashNewPassword(body.newPassword, 'newPassword') })
    // Anyone who signs in half way with the old password, or holds a link to replace it, starts again.
    await deleteTokensOf(scope.db, person.id, ['login', 'reset'])
    await endSessions(scope, person.id, { except: currentSession(scope) })
    return { ok: true }
  },

  async accountEmail({ body }, scope) {
    const person = await requireOwnPassword(scope, body.password)
    if (await findAdminByEmail(scope.db, body.email)) throw new Problem('conflict', 'This address is already in use.')
    sendLater(scope, async () => ({
      to: body.email,
      subject: 'Confirm your email address',
      text: `Open this link within a day to use this address to sign in to ${scope.installation.publicUrl}:\n${await newLink(scope, 'email', person.id, body.email)}`,
    }))
    return { ok: true }
  },

  async accountTotpBegin({ body }, scope) {
    const person = await requireOwnPassword(scope, body.password)
    if (person.totp_sealed !== null)
      throw new Problem(
        'conflict',
        'Two-factor authentication is already on. Turn it off first to set up a new device.',
      )
    const begun = newTotp(person.email)
    await updateAdmin(scope.db, person.id, { totp_pending_sealed: sealTotp(scope, person.id, begun.secret) })
    return begun
  },

  async accountTotpEnable({ body }, scope) {
    if ('password' in body) return renewRecoveryCodes(scope, body.password)
    const person = await callingPerson(scope)
    const pending = person.totp_pending_sealed
    if (pending === null) throw new Problem('conflict', 'Start the setup first with POST /api/account/totp.')
    await attempt(scope, `totp:${person.id}`, WRONG_CODES_ALLOWED, async () => {
      if (!(await acceptTotpCode(scope, person, pending, body.code)))
        throw new Problem('forbidden', 'This code is wrong or was already used. Wait for the next one.')
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
