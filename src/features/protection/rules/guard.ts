import { type EdgeCondition, literalPattern } from '#drivers/nginx/edge-conditions.ts'
import type { EdgeGuard, EdgeRule } from '#drivers/nginx/edge-guard.ts'
import type { EdgeLimit } from '#drivers/nginx/edge-limits.ts'
import type { Rate, Rows } from '../levels/contract.ts'
import type { InForce } from '../levels/resolve.ts'
import { ASSETS, builtInRules, LOGIN, XMLRPC } from './built-in.ts'
import type { Condition, StoredRule } from './contract.ts'

export interface GuardSettings {
  /** Addresses of services that no limit on XML-RPC applies to. */
  readonly neverLimited: readonly string[]
  /** Networks whose requests are those of sites themselves. */
  readonly inside: readonly string[]
}

/** What the edge does for a site; undefined when that is nothing. Under Off its own rules have no effect either. */
export const guardOf = (
  { level, rows }: InForce,
  customRules: readonly StoredRule[],
  { neverLimited, inside }: GuardSettings,
): EdgeGuard | undefined =>
  level === 'off'
    ? undefined
    : {
        rules: [...customRules.filter(({ enabled }) => enabled).map(toEdgeRule), ...builtInRules(rows.rules, inside)],
        limits: limitsOf(rows, neverLimited),
      }

const limit = (name: string, conditions: readonly EdgeCondition[], rate: Rate | null): EdgeLimit => ({
  name,
  conditions,
  ...(rate && { rate }),
})

const limitsOf = ({ rules, limits }: Rows, neverLimited: readonly string[]): EdgeLimit[] => [
  limit('login', LOGIN, limits.login),
  ...(neverLimited.length === 0 ? [] : [limit('xmlrpc', [XMLRPC, { networks: neverLimited }], null)]),
  limit('xmlrpc', [XMLRPC], rules.xmlrpc === 'limited' ? limits.xmlrpc : null),
  limit('assets', [ASSETS], limits.assets),
  limit('requests', [], limits.requests),
]

const toEdgeRule = ({ id, action, match, conditions }: StoredRule): EdgeRule => ({
  name: `custom:${id}`,
  action,
  match,
  conditions: conditions.map(toEdgeCondition),
})

const toEdgeCondition = (condition: Condition): EdgeCondition => {
  const { field, name = '', value, not } = condition
  const isNot = not ?? false
  if (field === 'address') return { networks: [value], isNot }
  const of = field === 'header' ? { header: name } : field === 'cookie' ? { cookie: name } : field
  return { of, pattern: patternOf(condition), isNot }
}

const patternOf = ({ operator, value }: Condition): string => {
  const text = literalPattern(value)
  return {
    equals: `^${text}\\z`,
    contains: text,
    begins: `^${text}`,
    ends: `${text}\\z`,
    pattern: value,
  }[operator]
}

const HEADERS: Readonly<Record<keyof Rows['headers'], [name: string, value: string]>> = {
  noSniff: ['X-Content-Type-Options', 'nosniff'],
  frameOptions: ['X-Frame-Options', 'SAMEORIGIN'],
  // Browsers ignore it over plain HTTP.
  hsts: ['Strict-Transport-Security', 'max-age=31536000'],
  referrerPolicy: ['Referrer-Policy', 'strict-origin-when-cross-origin'],
}

/** What is sent with every response of a site. */
export const headersOf = ({ headers }: Rows): Record<string, string> =>
  Object.fromEntries(
    (Object.keys(HEADERS) as (keyof Rows['headers'])[]).filter(key => headers[key]).map(key => HEADERS[key]),
  )
