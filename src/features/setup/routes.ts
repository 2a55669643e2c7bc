import {
  findOwner,
  hashOf,
  hashPassword,
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
    'There is nothing to set up here, or the link was used already. `./fleetpress admin reset` prints a new one where one is needed.',
  )

export const setupRoutes: Handlers<typeof setup> = {
  async setupOwner({ body }, scope) {
    if (await findOwner(scope.db)) throw gone()
    if (!(await spendToken(scope.db, hashOf(body.token), ['setup'], scope.now()))) throw gone()
    const owner = newAdmin({ ...body, owner: true, passwordHash: await hashPassword(body.password), now: scope.now() })
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
