import { findServer } from '#features/servers/index.ts'
import { findSite, listHostnames, listSites } from '#features/sites/index.ts'
import type { ServedEndpoint } from '#platform/contract/endpoint.ts'
import { ServerId } from '#platform/contract/identifiers.ts'
import { namedSites } from '#platform/contract/named-sites.ts'
import type { Db } from '#platform/db/database.ts'
import type { CallArgs } from '../tools/endpoint-call.ts'

const SHOWN_BODY = 1000
const SHOWN_SITES = 20

const describeSite = async (db: Db, slug: string): Promise<string> => {
  const site = await findSite(db, slug)
  if (!site) return `the site ${slug}, which does not exist`
  const hostnames = (await listHostnames(db, [slug])).get(slug) ?? []
  return `the site ${slug} (${[site.title, ...hostnames].join(', ')})`
}

const describeServer = async (db: Db, id: number): Promise<string> => {
  const [server, sites] = [await findServer(db, id), await listSites(db, { serverId: id })]
  const count = `${sites.length} ${sites.length === 1 ? 'site' : 'sites'}`
  return server ? `the server ${server.name} with ${count}` : `the server ${id}, which does not exist`
}

const targetsOf = async (
  db: Db,
  { endpoint }: ServedEndpoint,
  { params, query, body }: CallArgs,
): Promise<string[]> => {
  const slugs = new Set([
    ...namedSites(endpoint.params, params),
    ...namedSites(endpoint.query, query),
    ...namedSites(endpoint.body, body),
  ])
  const sites = await Promise.all([...slugs].slice(0, SHOWN_SITES).map(slug => describeSite(db, slug)))
  const more = slugs.size > SHOWN_SITES ? [`${slugs.size - SHOWN_SITES} more sites`] : []
  const serverId = endpoint.path.startsWith('/api/servers/:id') ? ServerId.safeParse(params?.id).data : undefined
  return [...sites, ...more, ...(serverId === undefined ? [] : [await describeServer(db, serverId)])]
}

/** What a destructive call would do and to what, for the person who has to agree. */
export const blastRadius = async (db: Db, served: ServedEndpoint, args: CallArgs): Promise<string> => {
  const { method, path, summary } = served.endpoint
  const targets = await targetsOf(db, served, args)
  const filled = path.replace(/:(\w+)/g, (_, name: string) => String(args.params?.[name] ?? ''))
  const sent = JSON.stringify({ ...args.query, ...args.body })
  return [
    `${summary}.`,
    `This affects ${targets.length === 0 ? 'the panel as a whole' : targets.join('; ')}.`,
    `Call: ${method} ${filled}${sent === '{}' ? '' : ` with ${sent.slice(0, SHOWN_BODY)}${sent.length > SHOWN_BODY ? '…' : ''}`}`,
  ].join('\n')
}
