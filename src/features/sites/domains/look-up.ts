import { Resolver } from 'node:dns/promises'
import { needsCertificate } from '#features/certificates/index.ts'
import type { DnsAnswer } from './contract.ts'

const QUESTION_MS = 1500
const TRIES = 2
const LIMIT_MS = 5000
/** The name is not there, or has no record of this kind: answers, not failures. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA'])
const REASONS: Record<string, string> = {
  ECANCELLED: 'DNS did not respond in time.',
  ETIMEOUT: 'DNS did not respond in time.',
  ECONNREFUSED: 'The name server refuses connections.',
  ESERVFAIL: 'The name server failed to resolve it.',
  EREFUSED: 'The name server refused the query.',
}

/** No DNS is asked for these: every machine leads them to itself. */
const LOOPBACK: DnsAnswer = { a: ['127.0.0.1'], aaaa: ['::1'], cname: [], problem: null }

/** What DNS answers for each name now, all asked at once; no answer is told as a problem. Never fails. */
export const lookUpNames = async (
  dnsServers: readonly string[],
  names: readonly string[],
): Promise<Map<string, DnsAnswer>> => {
  const resolver = new Resolver({ timeout: QUESTION_MS, tries: TRIES })
  if (dnsServers.length > 0) resolver.setServers(dnsServers)
  const limit = setTimeout(() => resolver.cancel(), LIMIT_MS)
  try {
    const answers = names.map(async name => [name, await lookUp(resolver, name)] as const)
    return new Map(await Promise.all(answers))
  } finally {
    clearTimeout(limit)
  }
}

const lookUp = async (resolver: Resolver, name: string): Promise<DnsAnswer> => {
  if (!needsCertificate(name)) return LOOPBACK
  const problems: string[] = []
  const ask = (question: Promise<string[]>): Promise<string[]> =>
    question.catch((error: NodeJS.ErrnoException) => {
      const code = error.code ?? ''
      if (!NOTHING.has(code)) problems.push(REASONS[code] ?? `The DNS lookup failed (${code}).`)
      return []
    })
  const [a, aaaa, cname] = await Promise.all([
    ask(resolver.resolve4(name)),
    ask(resolver.resolve6(name)),
    ask(resolver.resolveCname(name)),
  ])
  return { a: a.toSorted(), aaaa: aaaa.toSorted(), cname, problem: problems[0] ?? null }
}
