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
import { newLink, sendLater } from './links.ts'
import { newAdmin } from './new-admin.ts'
import { currentSession, requireOwnPassword } from './own-password.ts'
import { endSessions, KNOWN_SESSIONS } from './sessions.ts'
import { showAdmin } from './show.ts'

/** The person another one wants to change. Only the owner changes the owner. */
const personToChange = async (scope: RequestScope, caller: AdminRow, id: string): Promise<AdminRow> => {
  const row = await findAdmin(scope.db, id)
  if (!row) throw new Problem('not_found', 'There is no such admin. The list of admins has those there are.')
  if (row.owner === 1 && caller.owner !== 1) throw new Problem('forbidden', 'Only the owner may change the owner.')
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
): Promise<AdminRow> => {
  const known = await findAdminByEmail(scope.db, person.email)
  if (known && known.password_hash !== null)
    throw new Problem('conflict', 'Somebody with this address is an admin already.')
  const row = known ?? newAdmin({ ...person, owner: false, passwordHash: null, now: scope.now() })
  if (known) await updateAdmin(scope.db, known.id, { name: person.name })
  else await insertAdmin(scope.db, row)
  sendLater(scope, async () => ({
    to: row.email,
    subject: 'You are invited to Fleetpress',
    text: `${inviter.name} invites you to manage the panel at ${scope.place.publicUrl}.\n\nChoose your password within seven days:\n${await newLink(scope, 'invitation', row.id)}`,
  }))
  return { ...row, name: person.name }
}

export const adminRoutes: Handlers<typeof admins> = {
  ...accountRoutes,

  async adminList(_, scope) {
    return { items: (await listAdmins(scope.db)).map(showAdmin) }
  },

  async adminInvite({ body }, scope) {
    const caller = await requireOwnPassword(scope, body.password)
    try {
      return { admin: showAdmin(await invite(scope, body, caller)) }
    } catch (error) {
      if (isUniqueViolation(error)) throw new Problem('conflict', 'Somebody with this address is an admin already.')
      throw error
    }
  },

  async adminUpdate({ params, body }, scope) {
    const caller = await requireOwnPassword(scope, body.password)
    const row = await personToChange(scope, caller, params.id)
    if (body.disabled === true && (row.owner === 1 || row.id === caller.id)) {
      throw new Problem(
        'conflict',
        row.owner === 1 ? 'The owner cannot be locked out.' : 'You cannot lock yourself out.',
      )
    }
    const disabled = body.disabled ?? row.disabled === 1
    const updated = await updateAdmin(scope.db, row.id, { name: body.name ?? row.name, disabled: disabled ? 1 : 0 })
    if (body.disabled === true) await endSessions(scope, row.id)
    scope.memo(KNOWN_SESSIONS).clear()
    return changed(updated)
  },

  async adminDelete({ params, body }, scope) {
    const caller = await requireOwnPassword(scope, body.password)
    const row = await personToChange(scope, caller, params.id)
    if (row.owner === 1) throw new Problem('conflict', 'The owner cannot be removed.')
    if (row.id === caller.id) throw new Problem('conflict', 'You cannot remove yourself; another admin can.')
    await deleteAdmin(scope.db, row.id)
    await endSessions(scope, row.id)
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
