import { defineFeature } from '#platform/feature.ts'
import { deleteConfirmationsBefore } from './confirm/confirmation-store.ts'
import { deleteRevokedBefore } from './connection-store.ts'
import { authenticateConnection } from './connections.ts'
import { mcp } from './contract.ts'
import { forgetSite } from './forget-site.ts'
import { noteUses } from './note-uses.ts'
import { deleteClientsNeverAllowed, deleteExpired } from './oauth/oauth-store.ts'
import { serveOAuth } from './oauth/serve.ts'
import { serveProtocol } from './protocol/serve.ts'
import { mcpRoutes } from './routes.ts'

const DAY_MS = 86_400_000
const KEEP_REVOKED_DAYS = 90

export const feature = defineFeature({
  name: 'mcp',
  group: 'MCP connections',
  uses: ['admins', 'panel', 'servers', 'sites'],
  contract: mcp,
  routes: mcpRoutes,
  authenticate: authenticateConnection,
  serve(server, door, scope) {
    serveProtocol(server, door, scope)
    serveOAuth(server, scope)
  },
  begin: noteUses,
  hooks: {
    siteDeleting: forgetSite,
    async housekeeping(scope) {
      const now = scope.now()
      await deleteConfirmationsBefore(scope.db, now - DAY_MS)
      await deleteClientsNeverAllowed(scope.db, now - DAY_MS)
      await deleteExpired(scope.db, now - DAY_MS)
      const count = await deleteRevokedBefore(scope.db, now - KEEP_REVOKED_DAYS * DAY_MS)
      return `Deleted ${count} AI connections that were revoked over ${KEEP_REVOKED_DAYS} days ago.`
    },
  },
})
