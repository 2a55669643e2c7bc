import { randomBytes } from 'node:crypto'
import { getServer } from '#features/servers/index.ts'
import type { Request } from '#platform/contract/endpoint.ts'
import type { Job } from '#platform/contract/job.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import type { sites } from './contract.ts'
import { checkNames, wrongDomains } from './domains/check-names.ts'
import { devNameOf } from './domains/dev-name.ts'
import { siteCreate } from './jobs/site.create.ts'
import { NETWORKS } from './network.ts'
import { sealDatabasePassword } from './site-database.ts'
import { freeNetworkIndex, insertSite, type SiteRow } from './site-store.ts'

type Asked = Request<(typeof sites)['siteCreate']>['body']

const PASSWORD_BYTES = 24

/** The row, its names and the job are kept together or not at all, so a name is never given twice. */
export const createSite = async (scope: Scope, asked: Asked): Promise<Job> => {
  const server = await getServer(scope.db, asked.serverId)
  if (server.provisioned_at === null)
    throw new Problem('conflict', `${server.name} is not set up yet. Set it up first.`)
  const own = [devNameOf(asked.slug, server)]
  const hostnames = hostnamesFor(asked, own)
  await checkNames(scope, { slug: asked.slug, names: hostnames, own })
  return scope.db.transaction().execute(async on => {
    const index = await freeNetworkIndex(on, asked.serverId)
    if (index >= NETWORKS) throw new Problem('conflict', `${server.name} has as many sites as it can take.`)
    await insertSite(on, newRow(scope, asked, index), hostnames)
    const input = { slug: asked.slug, serverId: asked.serverId, adminUser: asked.adminUser }
    return scope.jobs.enqueue(siteCreate, input, { on })
  })
}

const hostnamesFor = ({ domainMode, domains }: Asked, own: string[]): string[] => {
  if (domainMode === 'dev' && domains.length > 0)
    throw wrongDomains('are for domainMode live; a dev site gets its name from its server')
  if (domainMode === 'live' && domains.length === 0)
    throw wrongDomains('must hold at least one name for domainMode live')
  return domainMode === 'dev' ? own : domains
}

const newRow = (scope: Scope, asked: Asked, index: number): SiteRow => ({
  slug: asked.slug,
  title: asked.title,
  status: 'creating',
  server_id: asked.serverId,
  php_version: asked.phpVersion,
  domain_mode: asked.domainMode,
  network_index: index,
  sealed_database_password: sealDatabasePassword(scope, asked.slug, randomBytes(PASSWORD_BYTES).toString('base64url')),
  locale: asked.locale,
  wordpress_version: null,
  admin_user: asked.adminUser,
  admin_email: asked.adminEmail,
  labels: '[]',
  notes: '',
  created_at: scope.now(),
})
