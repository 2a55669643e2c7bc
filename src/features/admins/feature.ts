import { defineFeature } from '#platform/feature.ts'
import { pruneAttempts } from './attempt-store.ts'
import { ATTEMPTS_KEPT } from './attempts.ts'
import { admins } from './contract.ts'
import { forgetOldAddresses } from './known-addresses.ts'
import { adminRoutes } from './routes.ts'
import { deleteExpiredSessions } from './session-store.ts'
import { authenticateSession } from './sessions.ts'
import { deleteExpiredTokens } from './token-store.ts'

export const feature = defineFeature({
  name: 'admins',
  group: 'Admin accounts',
  uses: ['panel'],
  contract: admins,
  routes: adminRoutes,
  authenticate: authenticateSession,
  hooks: {
    async housekeeping(scope) {
      const now = scope.now()
      const sessions = await deleteExpiredSessions(scope.db, now)
      const links = await deleteExpiredTokens(scope.db, now)
      await pruneAttempts(scope.db, now, ATTEMPTS_KEPT)
      await forgetOldAddresses(scope)
      return `Removed ${sessions} expired sessions and ${links} expired links.`
    },
  },
})
