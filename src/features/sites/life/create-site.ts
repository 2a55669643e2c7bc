import { randomBytes } from 'node:crypto'
import { getServer } from '#features/servers/index.ts'
import type { Request } from '#platform/contract/endpoint.ts'
import type { Job } from '#platform/contract/job.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import type { sites } from '../contract.ts'
import { checkNames, wrongDomains } from '../domains/check-names.ts'
import { devNameOf } from '../domains/dev-name.ts'
import { insertGoLive } from '../domains/go-live-store.ts'
import type { NewSiteChoices } from '../hooks.ts'
import { NETWORKS } from '../network.ts'
import { sealDatabasePassword } from '../site-database.ts'
import { freeNetworkIndex, freeSiteNumber, insertSite, type SiteRow } from '../site-store.ts'
import { siteCreate } from './site.create.ts'

type Asked = Request<(typeof sites)['siteCreate']>['body']

const PASSWORD_BYTES = 24

/** The row, its names and the job are kept together or not at all, so a name is never given twice. */
export const createSite = async (scope: Scope, asked: Asked): Promise<Job> => {
  const server = await getServer(scope.db, asked.serverId)
  if (server.provisioned_at === null)
    throw new Problem('conflict', `${server.name} is not set up yet. Set it up first.`)
  const own = [devNameOf(asked.slug, server)]
  refuseWrongDomains(asked)
  // Its own name is served once DNS points here; until then the site holds it.
  const held = asked.domains.filter(name => !own.includes(name))
  await checkNames(scope, { slug: asked.slug, names: [...own, ...held], own })
  const { pluginIds, recipeIds } = asked
  const answers = await scope.events.raise(scope, 'newSiteChoices', { pluginIds, recipeIds })
  const chosen = Object.assign({}, ...answers) as NewSiteChoices
  return scope.db.transaction().execute(async on => {
    const index = await freeNetworkIndex(on, asked.serverId)
    if (index >= NETWORKS) throw new Problem('conflict', `${server.name} has reached its limit of sites.`)
    const uid = await freeSiteNumber(on)
    if (uid === undefined) throw new Problem('conflict', 'The fleet has reached its limit of sites.')
    await insertSite(on, newRow(scope, asked, { index, uid }), own, held)
    const within = { ...scope, db: on }
    await scope.events.raise(within, 'siteAdding', { slug: asked.slug, protection: asked.protection })
    if (held.length > 0) await insertGoLive(on, asked.slug, asked.domains, scope.now())
    const input = { slug: asked.slug, serverId: asked.serverId, adminUser: asked.adminUser, ...chosen }
    return scope.jobs.enqueue(siteCreate, input, { on })
  })
}

const refuseWrongDomains = ({ domainMode, domains }: Asked): void => {
  if (domainMode === 'dev' && domains.length > 0)
    throw wrongDomains('are for domainMode live; a dev site gets its domain from its server')
  if (domainMode === 'live' && domains.length === 0)
    throw wrongDomains('must contain at least one domain for domainMode live')
  if (new Set(domains).size !== domains.length) throw wrongDomains('must not contain a domain twice')
}

const newRow = (scope: Scope, asked: Asked, { index, uid }: { index: number; uid: number }): SiteRow => ({
  slug: asked.slug,
  title: asked.title,
  status: 'creating',
  server_id: asked.serverId,
  php_version: asked.phpVersion,
  domain_mode: 'dev',
  network_index: index,
  uid,
  sealed_database_password: sealDatabasePassword(scope, asked.slug, randomBytes(PASSWORD_BYTES).toString('base64url')),
  locale: asked.locale,
  wordpress_version: null,
  admin_user: asked.adminUser,
  admin_email: asked.adminEmail,
  labels: '[]',
  notes: '',
  missing: null,
  created_at: scope.now(),
})
