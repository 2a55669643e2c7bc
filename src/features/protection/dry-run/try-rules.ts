import { BlockList, isIP } from 'node:net'
import { z } from 'zod'
import type { Condition } from '../rules/contract.ts'
import { matcherOf } from './match-pattern.ts'

/** A request as the edge has logged it, as far as rules can be tried on it. */
export interface LoggedVisit {
  readonly at: number
  readonly site: string
  readonly address: string
  readonly method: string
  readonly path: string
  readonly query: string
  readonly hostname: string
  readonly userAgent: string
  readonly referrer: string
}

/** What is tried; a rule that is switched off decides nothing. */
export interface TriedRule {
  readonly action: 'block' | 'allow'
  readonly match: 'all' | 'any'
  readonly conditions: readonly Condition[]
  readonly enabled: boolean
}

const LONGEST = 2000

const Line = z.object({
  time: z.string().regex(/^\d{1,10}\.\d{3}$/),
  site: z.string().min(1),
  address: z.string(),
  method: z.string(),
  uri: z.string(),
  host: z.string(),
  userAgent: z.string(),
  referer: z.string(),
})

export const visitIn = (text: string): LoggedVisit | undefined => {
  const { success, data } = Line.safeParse(parsed(text))
  if (!success) return undefined
  const [path = '', ...query] = data.uri.slice(0, LONGEST).split('?')
  return {
    at: Math.round(Number(data.time) * 1000),
    site: data.site,
    address: data.address,
    method: data.method,
    path: decoded(path).replace(/\/{2,}/g, '/'),
    query: query.join('?'),
    hostname: data.host,
    userAgent: data.userAgent.slice(0, LONGEST),
    referrer: data.referer.slice(0, LONGEST),
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

type Test = (visit: LoggedVisit) => boolean

/** Which rule decides about a request: its place in the list, or -1. */
export const deciderOf = (rules: readonly TriedRule[]): ((visit: LoggedVisit) => number) => {
  const tests = rules.map(({ match, conditions, enabled }): Test => {
    const all = conditions.map(testOf)
    if (!enabled) return () => false
    return match === 'all' ? visit => all.every(test => test(visit)) : visit => all.some(test => test(visit))
  })
  return visit => tests.findIndex(test => test(visit))
}

/** Headers and cookies are not in the log: they count as not sent. */
const testOf = (condition: Condition): Test => {
  const { field, not = false } = condition
  if (field === 'address') {
    const isInside = networkTest(condition.value)
    return ({ address }) => isInside(address) !== not
  }
  const isMet = textTest(condition)
  return visit => isMet(field === 'header' || field === 'cookie' ? '' : visit[field]) !== not
}

const textTest = ({ operator, value }: Condition): ((text: string) => boolean) => {
  if (operator === 'pattern') return matcherOf(value)
  const wanted = value.toLowerCase()
  return text => {
    const found = text.toLowerCase()
    if (operator === 'equals') return found === wanted
    if (operator === 'begins') return found.startsWith(wanted)
    return operator === 'ends' ? found.endsWith(wanted) : found.includes(wanted)
  }
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

const networkTest = (network: string): ((address: string) => boolean) => {
  const [start = '', prefix] = network.split('/')
  const list = new BlockList()
  if (prefix === undefined) list.addAddress(start, familyOf(start))
  else list.addSubnet(start, Number(prefix), familyOf(start))
  return address => isIP(address) !== 0 && list.check(address, familyOf(address))
}
