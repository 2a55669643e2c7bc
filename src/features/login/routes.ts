import {
  type AdminRow,
  acceptTotpCode,
  attempt,
  callsFromKnownAddress,
  csrfTokenOf,
  currentSession,
  deleteSession,
  deleteTokensOf,
  endSessions,
  findAdmin,
  findAdminByEmail,
  findOwner,
  findToken,
  hashNewPassword,
  hashOf,
  insertToken,
  KNOWN_SESSIONS,
  newLink,
  normalEmail,
  passwordFits,
  randomToken,
  rememberCaller,
  sendLater,
  showAdmin,
  slowAttempt,
  spendRecoveryCode,
  spendToken,
  startSession,
  updateAdmin,
  WRONG_CODES_ALLOWED,
  WRONG_PASSWORDS_ALLOWED,
} from '#features/admins/index.ts'
import { levelOf } from '#platform/access/actor.ts'
import { addressGroup } from '#platform/access/address.ts'
import type { Access } from '#platform/contract/level.ts'
import { Problem } from '#platform/contract/problem.ts'
import { isUniqueViolation } from '#platform/db/database.ts'
import type { Handlers, RequestScope } from '#platform/http/handlers.ts'
import type { login } from './contract.ts'

const CHALLENGE_MS = 5 * 60_000

const deadLink = () => new Problem('not_found', 'This link was already used or has expired. Request a new one.')

/** The person, if address and password fit; the same refusal, after the same time, for every way they may not. */
const checkPassword = async (scope: RequestScope, admin: AdminRow | undefined, password: string): Promise<AdminRow> => {
  const fits = await passwordFits(admin?.password_hash, password)
  if (admin && fits && admin.disabled === 0) return admin
  if (!(await findOwner(scope.db))) {
    throw new Problem(
      'conflict',
      'This panel has no owner yet. Open the link that `./fleetpress up` printed; `./fleetpress admin reset` prints a new one.',
    )
  }
  throw new Problem('unauthorized', 'Wrong email address or password.')
}

const signIn = async (scope: RequestScope, admin: AdminRow) => {
  const { csrfToken } = await startSession(scope, admin.id)
  return { admin: showAdmin({ ...admin, last_login_at: scope.now() }), csrfToken }
}

const challenge = async (scope: RequestScope, admin: AdminRow) => {
  const token = randomToken()
  const now = scope.now()
  await insertToken(scope.db, {
    token_hash: hashOf(token),
    purpose: 'login',
    admin_id: admin.id,
    email: null,
    created_at: now,
    expires_at: now + CHALLENGE_MS,
  })
  return { totpRequired: true as const, challenge: token }
}

const acceptCode = async (scope: RequestScope, admin: AdminRow, code: string): Promise<void> => {
  const accepted =
    (await acceptTotpCode(scope, admin, admin.totp_sealed, code)) || (await spendRecoveryCode(scope, admin, code))
  if (!accepted)
    throw new Problem(
      'unauthorized',
      'This code is wrong or was already used. Wait for the next one, or use a recovery code.',
    )
}

/**
 * Per account: anyone who gets here has the password, and must not get to try a million codes from many addresses. Where
 * the person has signed in before, its own count, so that a thief of the password cannot keep them out.
 */
const codeBucket = async (scope: RequestScope, admin: AdminRow): Promise<string> =>
  (await callsFromKnownAddress(scope, admin.id))
    ? `totp:${admin.id}:${addressGroup(scope.caller.address)}`
    : `totp:${admin.id}`

export const loginRoutes: Handlers<typeof login> = {
  async login({ body }, scope) {
    const account = normalEmail(body.email)
    const known = await findAdminByEmail(scope.db, account)
    const check = () => checkPassword(scope, known, body.password)
    const isAtHome = await callsFromKnownAddress(scope, known?.id)
    // Per address and account, so that no one can lock someone else out from afar.
    const bucket = `login:${addressGroup(scope.caller.address)}:${account}`
    const admin = await attempt(scope, bucket, WRONG_PASSWORDS_ALLOWED, () =>
      isAtHome ? check() : slowAttempt(scope, `account:${account}`, check),
    )
    return admin.totp_sealed === null ? signIn(scope, admin) : challenge(scope, admin)
  },

  async loginTotp({ body }, scope) {
    const tokenHash = hashOf(body.challenge)
    const token = await findToken(scope.db, tokenHash, 'login', scope.now())
    const admin = token?.admin_id ? await findAdmin(scope.db, token.admin_id) : undefined
    if (!admin || admin.disabled === 1)
      throw new Problem('unauthorized', 'Signing in took too long. Start again with your password.')
    await attempt(scope, await codeBucket(scope, admin), WRONG_CODES_ALLOWED, () => acceptCode(scope, admin, body.code))
    if (!(await spendToken(scope.db, tokenHash, ['login'], scope.now())))
      throw new Problem('unauthorized', 'Start again with your password.')
    return signIn(scope, admin)
  },

  async forgotPassword({ body }, scope) {
    sendLater(scope, async () => {
      const admin = await findAdminByEmail(scope.db, body.email)
      if (!admin || admin.disabled === 1 || admin.password_hash === null) return undefined
      return {
        to: admin.email,
        subject: 'Set a new password',
        text: `A new password was requested for ${scope.installation.publicUrl}. If it was you, set it within an hour:\n${await newLink(scope, 'reset', admin.id)}\n\nIf it wasn't you, ignore this email. Nothing has changed.`,
      }
    })
    return { ok: true }
  },

  async resetPassword({ body }, scope) {
    const passwordHash = await hashNewPassword(body.password)
    const token = await spendToken(scope.db, hashOf(body.token), ['reset', 'invitation'], scope.now())
    if (!token?.admin_id) throw deadLink()
    await updateAdmin(scope.db, token.admin_id, { password_hash: passwordHash })
    // Anyone who has the mailbox is not slowed by strangers who guess at the account.
    await rememberCaller(scope, token.admin_id)
    await deleteTokensOf(scope.db, token.admin_id)
    await endSessions(scope, token.admin_id)
    return { ok: true }
  },

  async confirmEmail({ body }, scope) {
    const token = await spendToken(scope.db, hashOf(body.token), ['email'], scope.now())
    if (!token?.admin_id || !token.email) throw deadLink()
    try {
      await updateAdmin(scope.db, token.admin_id, { email: normalEmail(token.email) })
    } catch (error) {
      if (isUniqueViolation(error)) throw new Problem('conflict', 'This address is now in use by someone else.')
      throw error
    }
    // A link that went to the old address no longer opens the account.
    await deleteTokensOf(scope.db, token.admin_id, ['reset'])
    return { ok: true }
  },

  async sessionGet(_, scope) {
    const { actor } = scope
    const access = levelOf(actor) as Access
    if (actor.kind === 'key') return { access, key: { id: actor.id, name: actor.name } }
    const admin = actor.kind === 'person' ? await findAdmin(scope.db, actor.id) : undefined
    return {
      access,
      ...(admin ? { admin: showAdmin(admin), csrfToken: csrfTokenOf(scope, currentSession(scope)) } : {}),
    }
  },

  async logout(_, scope) {
    if (scope.actor.kind === 'person') await deleteSession(scope.db, scope.actor.sessionId)
    scope.memo(KNOWN_SESSIONS).clear()
    scope.browser.signOut()
    return { ok: true }
  },

  async logoutOthers({ body }, scope) {
    const id = scope.actor.kind === 'person' ? scope.actor.id : ''
    const ended = await endSessions(scope, id, { except: currentSession(scope), only: body.id })
    if (body.id !== undefined && ended === 0)
      throw new Problem('not_found', 'You have no such session. It may have already ended.')
    return { ended }
  },
}
