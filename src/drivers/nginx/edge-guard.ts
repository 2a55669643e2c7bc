import { type EdgeCondition, networkTest, patternTest, when } from './edge-conditions.ts'
import { type EdgeLimit, limitOf } from './edge-limits.ts'
import { plainPage } from './server-block.ts'
import { checkNetwork, checkRuleName } from './values.ts'
import { type Argument, block, type Directive, directive, template, type Variable, variable } from './writer.ts'

/** What the edge refuses for a site, and how often a visitor may come. */
export interface EdgeGuard {
  /** The first one that matches decides. */
  readonly rules: readonly EdgeRule[]
  /** The first one that matches is the one a request counts for; none after an `allow`. */
  readonly limits: readonly EdgeLimit[]
}

export interface EdgeRule {
  /** What the log says about a request that it refused. */
  readonly name: string
  readonly action: 'block' | 'allow'
  readonly match: 'all' | 'any'
  readonly conditions: readonly EdgeCondition[]
}

const refusedBy = variable('fleetpress_refused_by')
const blockedBy = variable('fleetpress_blocked_by')
const limit = variable('fleetpress_limit')
const retryAfter = variable('fleetpress_retry_after')

const REFUSED = '@refused'
const LIMITED = '@limited'

/** One variable for each condition on addresses: whether the visitor is in these networks. Outside of the server block. */
export const guardNetworks = (site: string, guard: EdgeGuard): Directive[] =>
  networksOf(guard).map((networks, index) =>
    block(
      ['geo', networkVariable(site, index)],
      [directive('default', 0), ...networks.map(network => directive(checkNetwork('address', network), 1))],
    ),
  )

const conditionsOf = ({ rules, limits }: EdgeGuard): readonly EdgeCondition[] =>
  [...rules, ...limits].flatMap(({ conditions }) => conditions)

const networksOf = (guard: EdgeGuard): (readonly string[])[] =>
  conditionsOf(guard).flatMap(condition => ('networks' in condition ? [condition.networks] : []))

const networkVariable = (site: string, index: number): Variable =>
  variable(`fleetpress_network_${site.replaceAll('-', '_')}_${index}`)

/** For the server block: notes who refuses the request and what it counts for. What comes first is asked last, and so decides. */
export const guardDecision = (site: string, guard: EdgeGuard): Directive[] => {
  const networks = networksOf(guard)
  const test = (condition: EdgeCondition): Argument[] =>
    'networks' in condition
      ? networkTest(networkVariable(site, networks.indexOf(condition.networks)), condition.isNot)
      : patternTest(condition)
  return [
    directive('set', refusedBy, ''),
    directive('set', limit, ''),
    ...guard.limits.toReversed().flatMap(each => when(each.conditions, 'all', test, countFor(each))),
    ...guard.rules.toReversed().flatMap(rule => when(rule.conditions, rule.match, test, decide(rule))),
  ]
}

const countFor = ({ name, rate }: EdgeLimit): Directive[] => [
  directive('set', limit, rate ? name : ''),
  ...(rate ? [directive('set', retryAfter, rate.per === 'second' ? 1 : Math.ceil(60 / rate.requests))] : []),
]

const decide = ({ name, action }: EdgeRule): Directive[] =>
  action === 'block'
    ? [directive('set', refusedBy, checkRuleName('rule', name))]
    : [directive('set', refusedBy, ''), directive('set', limit, '')]

/** For `location /` only: challenges of a certificate authority are always answered. */
export const guardEntry = ({ limits }: EdgeGuard): Directive[] => {
  const counted = limits.filter(({ rate }) => rate !== undefined)
  return [
    block(['if', template`(${refusedBy})`], [directive('return', 403)]),
    ...counted.map(limitOf),
    ...(counted.length === 0 ? [] : [directive('limit_req_status', 429), directive('limit_req_log_level', 'info')]),
  ]
}

/** They say nothing about the rule. Locations of this kind keep what was decided. */
export const guardPages = (headers: readonly Directive[]): Directive[] => [
  directive('error_page', 403, '=', REFUSED),
  directive('error_page', 429, '=', LIMITED),
  answer(REFUSED, 403, plainPage('Not allowed', 'This request was refused.'), [
    directive('set', blockedBy, refusedBy),
    ...headers,
  ]),
  answer(LIMITED, 429, plainPage('Too many requests', 'Please wait a moment, then try again.'), [
    directive('set', blockedBy, template`limit:${limit}`),
    ...headers,
    directive('add_header', 'Retry-After', retryAfter, 'always'),
  ]),
]

const answer = (name: string, status: number, page: string, directives: readonly Directive[]): Directive =>
  block(
    ['location', name],
    [
      directive('default_type', 'text/html; charset=utf-8'),
      ...directives,
      directive('add_header', 'Cache-Control', 'no-store', 'always'),
      directive('return', status, page),
    ],
  )
