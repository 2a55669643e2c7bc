import { checkCookieName, checkHeaderName } from './values.ts'
import { type Argument, block, type Directive, directive, template, type Variable, variable } from './writer.ts'

export type EdgeCondition = { readonly isNot?: boolean } & (
  | { readonly networks: readonly string[] }
  /** Upper and lower case are the same. */
  | { readonly of: EdgeSource; readonly pattern: string }
)

type EdgeSource = keyof typeof PLAIN | { readonly header: string } | { readonly cookie: string }

/** As nginx has taken the request apart: the path decoded, and spelled in one way only. */
const PLAIN = {
  path: 'uri',
  query: 'args',
  method: 'request_method',
  hostname: 'host',
  userAgent: 'http_user_agent',
  referrer: 'http_referer',
} as const

const met = variable('fleetpress_met')

/** Text in which every character stands for itself. */
export const literalPattern = (text: string): string => text.replace(/[^A-Za-z0-9_\u0080-\uffff]/g, '\\$&')

export const networkTest = (name: Variable, isNot = false): Argument[] => [template`(${name}`, '=', isNot ? '0)' : '1)']

/** A visitor's text never keeps nginx busy: beyond the limit the request fails. A line end is a character like any other. */
export const patternTest = ({
  of,
  pattern,
  isNot,
}: {
  of: EdgeSource
  pattern: string
  isNot?: boolean
}): Argument[] => [
  template`(${sourceVariable(of)}`,
  isNot ? '!~*' : '~*',
  { pattern: `(*LIMIT_MATCH=100000)(?s)${pattern}` },
]

const sourceVariable = (source: EdgeSource): Variable => {
  if (typeof source === 'string') return variable(PLAIN[source])
  return 'header' in source
    ? variable(`http_${checkHeaderName('header', source.header).toLowerCase().replaceAll('-', '_')}`)
    : variable(`cookie_${checkCookieName('cookie', source.cookie).toLowerCase()}`)
}

/** Does this when the conditions are met; always when there are none. */
export const when = (
  conditions: readonly EdgeCondition[],
  match: 'all' | 'any',
  test: (condition: EdgeCondition) => Argument[],
  then: readonly Directive[],
): Directive[] => {
  if (conditions.length === 0) return [...then]
  if (match === 'any' || conditions.length === 1)
    return conditions.map(condition => block(['if', ...test(condition)], then))
  const note = directive('set', met, template`${met}1`)
  return [
    directive('set', met, ''),
    ...conditions.map(condition => block(['if', ...test(condition)], [note])),
    block(['if', template`(${met}`, '=', `${'1'.repeat(conditions.length)})`], then),
  ]
}
