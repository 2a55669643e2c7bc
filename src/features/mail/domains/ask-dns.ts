import { Resolver } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { textsAtSource } from '#features/dns/index.ts'
import { KnownError } from '#platform/contract/known-error.ts'

const QUESTION_MS = 1500
const TRIES = 2
const LIMIT_MS = 5000
const SOURCE_MS = 3000
/** The name is not there, or has no record of this kind: answers, not failures. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA'])

/** DNS did not answer, which says nothing about what is there. */
export class NoAnswer extends KnownError {
  readonly code = 'dns_silent'

  constructor() {
    super('DNS did not respond. Check again later.')
  }
}

/** Questions to DNS that end in time, whatever the name server does. */
export interface Dns {
  texts(name: string): Promise<string[]>
  /** As the name servers of the zone have them; undefined when no one can tell. */
  textsAtSource(name: string): Promise<string[] | undefined>
  addresses(name: string): Promise<string[]>
  exchanges(name: string): Promise<string[]>
  namesOf(address: string): Promise<string[]>
}

/** Runs `work` with a resolver that gives up after some seconds. */
export const withDns = async <T>(dnsServers: readonly string[], work: (dns: Dns) => Promise<T>): Promise<T> => {
  const resolver = new Resolver({ timeout: QUESTION_MS, tries: TRIES })
  if (dnsServers.length > 0) resolver.setServers(dnsServers)
  const limit = setTimeout(() => resolver.cancel(), LIMIT_MS)
  try {
    return await work({
      textsAtSource: name => Promise.race([textsAtSource(dnsServers, name), late()]),
      texts: async name => (await answer(resolver.resolveTxt(name))).map(parts => parts.join('')),
      addresses: name => answer(resolver.resolve4(name)),
      exchanges: async name =>
        (await answer(resolver.resolveMx(name))).toSorted((a, b) => a.priority - b.priority).map(mx => mx.exchange),
      namesOf: address => answer(resolver.reverse(address)),
    })
  } finally {
    clearTimeout(limit)
  }
}

/** Resolvers have an answer, too: no one waits long for servers that are slow or far away. */
const late = (): Promise<undefined> => sleep(SOURCE_MS, undefined, { ref: false })

const answer = async <T>(question: Promise<T[]>): Promise<T[]> => {
  try {
    return await question
  } catch (error) {
    if (NOTHING.has((error as NodeJS.ErrnoException).code ?? '')) return []
    throw new NoAnswer()
  }
}
