import {
  findOwner,
  findToken,
  hashNewPassword,
  hashOf,
  insertAdmin,
  newAdmin,
  showAdmin,
  spendToken,
  startSession,
} from '#features/admins/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { isUniqueViolation } from '#platform/db/database.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import type { setup } from './contract.ts'

const gone = () =>
  new Problem(
    'not_found',
    'This panel is already set up, or the link was already used. If you need a new link, run `./fleetpress admin reset`.',
  )

export const setupRoutes: Handlers<typeof setup> = {
  async setupOwner({ body }, scope) {
    if (await findOwner(scope.db)) throw gone()
    const tokenHash = hashOf(body.token)
    // Without the link no one makes the panel hash anything; a password that is refused does not use the link up.
    if (!(await findToken(scope.db, tokenHash, 'setup', scope.now()))) throw gone()
    const passwordHash = await hashNewPassword(body.password)
    if (!(await spendToken(scope.db, tokenHash, ['setup'], scope.now()))) throw gone()
    const owner = newAdmin({ ...body, owner: true, passwordHash, now: scope.now() })
    try {
      await insertAdmin(scope.db, owner)
    } catch (error) {
      if (isUniqueViolation(error)) throw gone()
      throw error
    }
    const { csrfToken } = await startSession(scope, owner.id)
    return { admin: showAdmin(owner), csrfToken }
  },
}
