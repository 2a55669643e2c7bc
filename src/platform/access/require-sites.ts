import type { Endpoint } from '#platform/contract/endpoint.ts'
import { namedSites } from '#platform/contract/named-sites.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Actor } from './actor.ts'

interface Inputs {
  params: unknown
  query: unknown
  body: unknown
}

/** The only sites an actor may reach; null for all. */
export const sitesOf = (actor: Actor): readonly string[] | null => (actor.kind === 'connection' ? actor.sites : null)

/** Whether an actor may know of what belongs to this site, or with null to none. */
export const seesSite = (actor: Actor, siteSlug: string | null): boolean => {
  const sites = sitesOf(actor)
  return sites === null || (siteSlug !== null && sites.includes(siteSlug))
}

/**
 * Refuses a caller who is limited to some sites and names another one, or asks for what is not about one site. Whether
 * the other site exists makes no difference.
 */
export const requireSites = (actor: Actor, endpoint: Endpoint, inputs: Inputs): void => {
  const sites = sitesOf(actor)
  if (sites === null || endpoint.sites === 'none') return
  const inPath = namedSites(endpoint.params, inputs.params)
  const elsewhere = [...namedSites(endpoint.query, inputs.query), ...namedSites(endpoint.body, inputs.body)]
  const named = [...inPath, ...elsewhere]
  const isLimited = inPath.length > 0 || endpoint.sites === 'kept' || (endpoint.sites === 'named' && named.length > 0)
  if (isLimited && named.every(slug => sites.includes(slug))) return
  const allowed = sites.length === 0 ? 'no site' : sites.join(', ')
  throw new Problem(
    'forbidden',
    isLimited
      ? `This connection can only reach ${allowed}.`
      : `This connection can only reach ${allowed}. ${endpoint.sites === 'named' ? 'Name one of them.' : 'This endpoint reaches more than that.'}`,
    { sites },
  )
}
