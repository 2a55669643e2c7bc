import { hasMailServer, KNOWN_KEYS, revokeKeysOf, sendLetter } from '#features/panel/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { isUniqueViolation } from '#platform/db/database.ts'
import type { Handlers, RequestScope } from '#platform/http/handlers.ts'
import { accountRoutes } from './account-routes.ts'
import {
  type AdminRow,
  deleteAdmin,
  findAdmin,
  findAdminByEmail,
  insertAdmin,
  listAdmins,
  updateAdmin,
} from './admin-store.ts'
import type { admins } from './contract.ts'
import { newLink } from './links.ts'
import { newAdmin } from './new-admin.ts'
import { currentSession, requireOwnPassword } from './own-password.ts'
import { endSessions, KNOWN_SESSIONS } from './sessions.ts'
import { showAdmin } from './show.ts'

/** The person another one wants to change. Only the owner changes the owner. */
const personToChange = async (scope: RequestScope, caller: AdminRow, id: string): Promise<AdminRow> => {
  const row = await findAdmin(scope.db, id)
  if (!row) throw new Problem('not_found', 'There is no such admin.')
  if (row.owner === 1 && caller.owner !== 1) throw new Problem('forbidden', 'Only the owner can change the owner.')
  return row
}

const changed = (row: AdminRow | undefined) => {
  if (!row) throw new Problem('not_found', 'This admin was removed in the meantime.')
  return { admin: showAdmin(row) }
}

const invite = async (
  scope: RequestScope,
  person: { email: string; name: string },
  inviter: AdminRow,
): Promise<{ row: AdminRow; link: string | null }> => {
  const known = await findAdminByEmail(scope.db, person.email)
  if (known && known.password_hash !== null) throw new Problem('conflict', 'An admin with this address already exists.')
  const row = known ?? newAdmin({ ...person, owner: false, passwordHash: null, now: scope.now() })
  if (known) await updateAdmin(scope.db, known.id, { name: person.name })
  else await insertAdmin(scope.db, row)
  const link = await newLink(scope, 'invitation', row.id)
  const isSent = await sendInvitation(scope, row.email, link, inviter)
  return { row: { ...row, name: person.name }, link: isSent ? null : link }
}

/** Whether a mail server took the letter. Where it did not, the link is for the inviter to pass on. */
const sendInvitation = async (scope: RequestScope, to: string, link: string, inviter: AdminRow): Promise<boolean> => {
  if (!(await hasMailServer(scope))) return false
  const { accepted, detail } = await sendLetter(scope, {
    to,
    subject: 'You are invited to Fleetpress',
    text: `${inviter.name} invited you to manage the panel at ${scope.installation.publicUrl}.\n\nSet your password within seven days:\n${link}`,
  })
  if (!accepted) scope.log.warn({ detail }, 'an invitation was not accepted by the mail server')
  return accepted
}

export const adminRoutes: Handlers<typeof admins> = {
  ...accountRoutes,

  async adminList(_, scope) {
    return { items: (await listAdmins(scope.db)).map(showAdmin) }
  },

  async adminInvite({ body }, scope) {
    const caller = await requireOwnPassword(scope, body.password)
    try {
      const { row, link } = await invite(scope, body, caller)
      return { admin: showAdmin(row), link }
    } catch (error) {
      if (isUniqueViolation(error)) throw new Problem('conflict', 'An admin with this address already exists.')
      throw error
    }
  },

  async adminUpdate({ params, body }, scope) {
    const caller = await requireOwnPassword(scope, body.password)
    const row = await personToChange(scope, caller, params.id)
    if (body.disabled === true && (row.owner === 1 || row.id === caller.id)) {
      throw new Problem('conflict', row.owner === 1 ? "The owner can't be locked." : "You can't lock yourself.")
    }
    const disabled = body.disabled ?? row.disabled === 1
    const updated = await scope.db.transaction().execute(async trx => {
      await revokeKeysOf(trx, { adminId: row.id, ids: body.revokeKeys, now: scope.now() })
      return updateAdmin(trx, row.id, { name: body.name ?? row.name, disabled: disabled ? 1 : 0 })
    })
    if (body.disabled === true) await endSessions(scope, row.id)
    scope.memo(KNOWN_SESSIONS).clear()
    scope.memo(KNOWN_KEYS).clear()
    return changed(updated)
  },

  async adminDelete({ params, body }, scope) {
    const caller = await requireOwnPassword(scope, body.password)
    const row = await personToChange(scope, caller, params.id)
    if (row.owner === 1) throw new Problem('conflict', "The owner can't be removed.")
    if (row.id === caller.id) throw new Problem('conflict', "You can't remove yourself. Another admin can.")
    await scope.db.transaction().execute(async trx => {
      await revokeKeysOf(trx, { adminId: row.id, ids: body.revokeKeys, now: scope.now() })
      await deleteAdmin(trx, row.id)
    })
    await endSessions(scope, row.id)
    scope.memo(KNOWN_KEYS).clear()
    return { ok: true }
  },

  async adminResetTotp({ params, body }, scope) {
    const caller = await requireOwnPassword(scope, body.password)
    const row = await personToChange(scope, caller, params.id)
    const updated = await updateAdmin(scope.db, row.id, {
      totp_sealed: null,
      totp_pending_sealed: null,
      recovery_codes: '[]',
    })
    await endSessions(scope, row.id, { except: caller.id === row.id ? currentSession(scope) : undefined })
    return changed(updated)
  },
}
