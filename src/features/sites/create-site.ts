import { randomBytes } from 'node:crypto'
import { getServer, needsCertificate, publishedName } from '#features/servers/index.ts'
import type { Request } from '#platform/contract/endpoint.ts'
import type { Job } from '#platform/contract/job.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import type { sites } from './contract.ts'
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
    throw new Problem('conflict', `${server.name} is not set up yet. Run POST /api/servers/${server.id}/update first.`)
  const hostnames = hostnamesFor(asked, server.dev_domain)
  await refuseOwnNames(scope, hostnames)
  return scope.db.transaction().execute(async on => {
    const index = await freeNetworkIndex(on, asked.serverId)
    if (index >= NETWORKS) throw new Problem('conflict', `${server.name} has as many sites as it can take.`)
    await insertSite(on, newRow(scope, asked, index), hostnames)
    const input = { slug: asked.slug, serverId: asked.serverId, adminUser: asked.adminUser }
    return scope.jobs.enqueue(siteCreate, input, { on })
  })
}

const hostnamesFor = ({ slug, domainMode, domains }: Asked, devDomain: string): string[] => {
  if (domainMode === 'dev' && domains.length > 0)
    throw wrongDomains('are for domainMode live; a dev site gets its name from its server')
  if (domainMode === 'live' && domains.length === 0)
    throw wrongDomains('must hold at least one name for domainMode live')
  if (new Set(domains).size !== domains.length) throw wrongDomains('must not hold a name twice')
  return domainMode === 'dev' ? [`${slug}.${devDomain}`] : domains
}

const wrongDomains = (message: string) =>
  new Problem('validation_error', `The body is wrong. domains ${message}.`, [{ in: 'body', path: 'domains', message }])

/** The panel's own name, and names below nothing but a top-level domain, are no site's. */
const refuseOwnNames = async (scope: Scope, hostnames: readonly string[]) => {
  const own = [new URL(scope.place.publicUrl).hostname, await publishedName(scope)]
  const taken = hostnames.find(name => own.includes(name))
  if (taken) throw new Problem('conflict', `${taken} is the name of the panel itself. Choose another.`)
  const bare = hostnames.find(name => needsCertificate(name) && !name.includes('.'))
  if (bare) throw wrongDomains(`hold ${bare}, which no visitor could reach`)
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
