import { needsCertificate } from '#features/certificates/index.ts'
import { publishedName } from '#features/edge/index.ts'
import { listServers } from '#features/servers/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { listTaken } from './hostname-store.ts'

interface Asked {
  readonly slug: string
  readonly names: readonly string[]
  /** Names that are the site's own in any case. */
  readonly own: readonly string[]
}

/** Names that a site may have: reachable, no one else's, not the panel's, and not below a dev domain. */
export const checkNames = async (scope: Scope, { slug, names, own }: Asked): Promise<void> => {
  if (new Set(names).size !== names.length) throw wrongDomains('must not contain a domain twice')
  refuseUnreachable(names)
  await refusePanel(scope, names)
  const [taken] = (await listTaken(scope.db, names)).filter(row => row.site_slug !== slug)
  if (taken)
    throw new Problem(
      'conflict',
      `${taken.hostname} belongs to another site, ${taken.site_slug}. Choose another, or remove it from that site first.`,
    )
  await refuseDevDomains(
    scope,
    names.filter(name => !own.includes(name)),
  )
}

export const wrongDomains = (message: string): Problem =>
  new Problem('validation_error', `Domains ${message}.`, [{ in: 'body', path: 'domains', message }])

const refusePanel = async (scope: Scope, names: readonly string[]) => {
  const panel = [new URL(scope.installation.publicUrl).hostname, await publishedName(scope)]
  const taken = names.find(name => panel.includes(name))
  if (taken) throw new Problem('conflict', `${taken} is the panel's own address. Choose another.`)
}

const refuseUnreachable = (names: readonly string[]) => {
  const bare = names.find(name => needsCertificate(name) && !name.includes('.'))
  if (bare) throw wrongDomains(`contain ${bare}, which visitors can't reach`)
}

/** Names there follow from slugs: a site that took one would stand in the way of another. */
const refuseDevDomains = async (scope: Scope, names: readonly string[]) => {
  for (const { name: server, dev_domain: devDomain } of await listServers(scope.db)) {
    const below = names.find(name => name === devDomain || name.endsWith(`.${devDomain}`))
    if (below)
      throw new Problem('conflict', `${below} is part of ${devDomain}, the dev domain of ${server}. Choose another.`)
  }
}
