import { isIPv4 } from 'node:net'
import { needsCertificate } from '#features/certificates/index.ts'
import type { Scope } from '#platform/scope.ts'
import type { MissingRecord } from './contract.ts'
import { lookUpNames } from './look-up.ts'
import { pointsTo, serverAddresses, suggestedAddresses } from './points-here.ts'

type Asking = Pick<Scope, 'db' | 'installation'>

/** The records that would lead these names to a server and are not there yet; none when DNS is right. */
export const missingRecords = async (
  scope: Asking,
  serverId: number,
  names: readonly string[],
): Promise<MissingRecord[]> => {
  const [addresses, suggested, answers] = await Promise.all([
    serverAddresses(scope, serverId),
    suggestedAddresses(scope, serverId),
    lookUpNames(scope.installation.dnsServers, names),
  ])
  return names.filter(needsCertificate).flatMap(hostname => {
    const answer = answers.get(hostname) ?? { a: [], aaaa: [], cname: [], problem: null }
    if (pointsTo(hostname, answer, { id: serverId, addresses })) return []
    const found = [...answer.a, ...answer.aaaa]
    const values = suggested.map(value => ({ type: isIPv4(value) ? ('A' as const) : ('AAAA' as const), value }))
    const { problem } = answer
    return (values.length > 0 ? values : [{ type: 'A' as const, value: null }]).map(record => ({
      hostname,
      ...record,
      found,
      problem,
    }))
  })
}

const nowOf = ({ hostname, found, problem }: MissingRecord): string => {
  if (problem !== null) return `${hostname} can't be looked up now. ${problem}`
  return found.length > 0 ? `${hostname} points to ${found.join(', ')}.` : `${hostname} doesn't resolve.`
}

const nextOf = ({ type, value }: MissingRecord): string =>
  value === null
    ? 'Point it to the server. Set the public IP of the server to see it here.'
    : `Point its ${type} record to ${value}.`

/** What to do about them, in words. */
export const recordsToSet = (records: readonly MissingRecord[]): string =>
  records.map(record => `${nowOf(record)} ${nextOf(record)}`).join(' ')
