import type { z } from 'zod'

const ABBREVIATIONS = /\b(acme|api|dns|id|ip|php|smtp|ssh|url)\b/g

/** `expiresAt` as people read it: `Expires at`; `domains.0` is `Domains, entry 1,`. */
export const fieldWords = (path: string): string => {
  const words = path
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/\.(\d+)/g, (_, index) => `, entry ${Number(index) + 1},`)
    .replaceAll('.', ' ')
    .toLowerCase()
    .replace(ABBREVIATIONS, word => word.toUpperCase())
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

const KINDS: Record<string, string> = {
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
  null: 'must be null',
}

const counted = (amount: number | bigint, origin: string): string => {
  if (origin === 'string') return `${amount} ${Number(amount) === 1 ? 'character' : 'characters'}`
  return `${amount} ${Number(amount) === 1 ? 'entry' : 'entries'}`
}

const isAmount = (origin: string) => origin === 'number' || origin === 'int' || origin === 'bigint'

const tooSmall = (minimum: number | bigint, origin: string): string => {
  if (isAmount(origin)) return `must be ${minimum} or more`
  return Number(minimum) === 1 ? 'must not be empty' : `must have at least ${counted(minimum, origin)}`
}

const tooBig = (maximum: number | bigint, origin: string): string =>
  isAmount(origin) ? `must be ${maximum} or less` : `must have at most ${counted(maximum, origin)}`

const notAmong = (values: readonly unknown[]): string =>
  `must be ${values.length === 1 ? '' : 'one of: '}${values.map(String).join(', ')}`

/** What a value of the wrong kind or size is told: what it must be, in words that follow the name of its field. */
export const plainMessage = (issue: z.core.$ZodRawIssue): string => {
  if (issue.code === 'invalid_type')
    return issue.input === undefined ? 'is required' : (KINDS[issue.expected] ?? 'has the wrong type')
  if (issue.code === 'too_small') return tooSmall(issue.minimum, issue.origin)
  if (issue.code === 'too_big') return tooBig(issue.maximum, issue.origin)
  if (issue.code === 'invalid_value') return notAmong(issue.values)
  if (issue.code === 'unrecognized_keys') return `has unknown fields: ${issue.keys.join(', ')}`
  return 'must have the documented format; see the API reference'
}
