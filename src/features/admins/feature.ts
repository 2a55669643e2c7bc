import { defineFeature } from '#platform/feature.ts'
import { deleteExpiredAttempts } from './attempt-store.ts'
import { admins } from './contract.ts'
import { adminRoutes } from './routes.ts'
import { deleteExpiredSessions } from './session-store.ts'
import { authenticateSession } from './sessions.ts'
import { deleteExpiredTokens } from './token-store.ts'

export const adminsFeature = defineFeature({
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
      await deleteExpiredAttempts(scope.db, now)
      return `${sessions} expired sessions and ${links} expired links were removed.`
    },
  },
})
