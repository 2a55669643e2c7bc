import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { DnsRecord } from '#platform/dns/provider.ts'

const QUESTION_MS = 2000
const TRIES = 2
const LIMIT_MS = 6000
const SERVERS_ASKED = 4

/**
 * Whether the name servers of the zone respond with this record. They are asked themselves, because resolvers remember
 * for long that there was nothing, and certificate authorities ask them, too. Those that don't respond don't count.
 */
export const isPublished = async (
  dnsServers: readonly string[],
  zone: string,
  record: Pick<DnsRecord, 'name' | 'type' | 'value'>,
): Promise<boolean> => {
  // Where the panel was told which name servers to ask, they are the ones.
  const servers = dnsServers.length > 0 ? dnsServers : await nameServersOf(zone)
  const answers = await Promise.all(servers.slice(0, SERVERS_ASKED).map(server => holds(server, record)))
  const known = answers.filter(answer => answer !== undefined)
  return known.length > 0 && known.every(Boolean)
}

/**
 * The texts at a name as the name servers of its zone have them, whatever resolvers remember. Undefined when none of them
 * responds, or when the name is an alias, which only resolvers follow.
 */
export const textsAtSource = async (dnsServers: readonly string[], name: string): Promise<string[] | undefined> => {
  const servers = dnsServers.length > 0 ? dnsServers : await serversAbove(name)
  for (const server of servers.slice(0, SERVERS_ASKED)) {
    const texts = await withResolver([server], resolver => textsFrom(resolver, name)).catch(() => undefined)
    if (texts) return texts
  }
  return undefined
}

const textsFrom = async (resolver: Resolver, name: string): Promise<string[] | undefined> => {
  try {
    return (await resolver.resolveTxt(name)).map(parts => parts.join(''))
  } catch (error) {
    if (!isNothing(error)) throw error
    const aliases = await resolver.resolveCname(name).catch(() => [])
    return aliases.length > 0 ? undefined : []
  }
}

/** Of the zone that the name is in: the nearest parent that has name servers. */
const serversAbove = async (name: string): Promise<string[]> => {
  for (let zone = name; zone.includes('.'); zone = zone.slice(zone.indexOf('.') + 1)) {
    const servers = await nameServersOf(zone)
    if (servers.length > 0) return servers
  }
  return []
}

const nameServersOf = async (zone: string): Promise<string[]> =>
  withResolver([], async resolver => {
    const names = await resolver.resolveNs(zone)
    const addresses = await Promise.all(names.map(name => resolver.resolve4(name).catch(() => [])))
    return addresses.flatMap(([first]) => first ?? [])
  }).catch(() => [])

/** The name is not there, or has no record of this kind: an answer, not a failure. */
const isNothing = (error: unknown): boolean =>
  ['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? '')

/** Undefined when the server gives no answer. */
const holds = (server: string, { name, type, value }: Pick<DnsRecord, 'name' | 'type' | 'value'>) =>
  withResolver([server], async resolver => {
    const found = (await resolver.resolve(name, type)) as (string | string[])[]
    return found.map(one => spelled(Array.isArray(one) ? one.join('') : one)).includes(spelled(value))
  }).catch((error: unknown) => (isNothing(error) ? false : undefined))

/** The resolver of Node takes longer than it is told, so it has a limit of its own. */
const withResolver = async <T>(servers: readonly string[], ask: (resolver: Resolver) => Promise<T>): Promise<T> => {
  const resolver = new Resolver({ timeout: QUESTION_MS, tries: TRIES })
  if (servers.length > 0) resolver.setServers([...servers])
  const limit = setTimeout(() => resolver.cancel(), LIMIT_MS)
  try {
    return await ask(resolver)
  } finally {
    clearTimeout(limit)
  }
}

const spelled = (value: string): string => (isIP(value) ? ipaddr.process(value).toString() : value)
