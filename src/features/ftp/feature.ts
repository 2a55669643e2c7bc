import { defineFeature } from '#platform/feature.ts'
import { ftp } from './contract.ts'
import { deleteLoginsOf, listLogins } from './login-store.ts'
import { ftpRoutes } from './routes.ts'
import { applyLogins } from './service/apply.ts'
import { follow, followSampled, startFollowing } from './service/follow.ts'

export const feature = defineFeature({
  name: 'ftp',
  group: 'FTP & SFTP logins',
  uses: ['servers', 'stack', 'sites', 'monitor'],
  contract: ftp,
  routes: ftpRoutes,
  begin: startFollowing,
  hooks: {
    serverSampled: (scope, { serverId }) => followSampled(scope, serverId),
    siteChanged: async (scope, { site }) => {
      const hasLogins = (await listLogins(scope.db, [site.slug])).length > 0
      if (hasLogins) await applyLogins(scope, site.server_id, { signal: scope.signal })
    },
    siteDeleting: async (scope, { site }) => {
      await deleteLoginsOf(scope.db, site.slug)
      await applyLogins(scope, site.server_id, { signal: scope.signal })
    },
    siteMoving: async (scope, { site }) => {
      await applyLogins(scope, site.server_id, { signal: scope.signal })
    },
    siteMoved: async (scope, { site, fromServerId }) => {
      await applyLogins(scope, fromServerId, { signal: scope.signal })
      await follow(scope, site.server_id)
    },
  },
})
