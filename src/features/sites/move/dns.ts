import { needsCertificate } from '#features/certificates/index.ts'
import type { Scope } from '#platform/scope.ts'
import { lookUpNames } from '../domains/look-up.ts'
import { pointsTo, serverAddresses } from '../domains/points-here.ts'
import { listHostnames } from '../site-store.ts'

/** The names of a site that DNS points to a server now, and all others. Those below localhost are in no DNS. */
export const namesAt = async (scope: Scope, slug: string, serverId: number) => {
  const names = ((await listHostnames(scope.db, [slug])).get(slug) ?? []).filter(needsCertificate)
  const answers = await lookUpNames(scope.installation.dnsServers, names)
  const server = { id: serverId, addresses: await serverAddresses(scope, serverId) }
  const isHere = (name: string) => {
    const answer = answers.get(name)
    return answer !== undefined && pointsTo(name, answer, server)
  }
  return { here: names.filter(isHere), elsewhere: names.filter(name => !isHere(name)), addresses: server.addresses }
}

/** For the person who watches the job: what to change where the names are registered, apart from what is done. */
export const describeRecords = async (
  scope: Scope,
  slug: string,
  serverId: number,
  done: readonly string[],
): Promise<string[]> => {
  const { elsewhere, addresses } = await namesAt(scope, slug, serverId)
  const left = elsewhere.filter(name => !done.includes(name))
  return left.flatMap(name =>
    addresses.map(address => `Change DNS: ${name} ${address.includes(':') ? 'AAAA' : 'A'} ${address}`),
  )
}
