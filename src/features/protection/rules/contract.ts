import { z } from 'zod'
import { Id, Label } from '#platform/contract/identifiers.ts'
import { faultOfPattern } from '#platform/contract/safe-pattern.ts'

export const CONDITION_FIELDS = [
  'address',
  'path',
  'query',
  'method',
  'hostname',
  'userAgent',
  'referrer',
  'header',
  'cookie',
] as const
export const OPERATORS = ['equals', 'contains', 'begins', 'ends', 'pattern'] as const

const PRINTABLE = /^[^\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u
const HEADER = /^[A-Za-z][A-Za-z0-9-]{0,63}$/
const COOKIE = /^[A-Za-z0-9_]{1,64}$/
const Network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

export const MOST_RULES = 50
const MOST_CONDITIONS = 10

const Plain = z.strictObject({
  field: z.enum(CONDITION_FIELDS).describe('what is compared'),
  name: z.string().min(1).max(64).optional().describe('of the header or cookie'),
  operator: z
    .enum(OPERATORS)
    .describe('how; upper and lower case are the same. An address is compared with equals, also with a range'),
  value: z
    .string()
    .max(300)
    .regex(PRINTABLE, 'must be one line of printable text')
    .describe('with what: a text, an address, a range such as 192.0.2.0/24, or a pattern as RE2 knows them'),
  not: z.boolean().optional().describe('true: the opposite'),
})

const faultOfName = ({ field, name }: z.infer<typeof Plain>): string | undefined => {
  if (field !== 'header' && field !== 'cookie')
    return name === undefined ? undefined : 'is only for headers and cookies'
  if (name === undefined) return 'is required for a header or cookie'
  const isRight = (field === 'header' ? HEADER : COOKIE).test(name)
  return isRight ? undefined : `can only contain letters, digits and ${field === 'header' ? '-' : '_'}`
}

const faultOfValue = ({ field, operator, value }: z.infer<typeof Plain>): string | undefined => {
  if (field === 'address')
    return Network.safeParse(value).success ? undefined : 'must be an address or a range such as 192.0.2.0/24'
  if (operator === 'pattern') return faultOfPattern(value)
  return value === '' && operator !== 'equals' ? 'must not be empty' : undefined
}

export const Condition = Plain.superRefine((condition, context) => {
  const isWrongOperator = condition.field === 'address' && condition.operator !== 'equals'
  const faults = {
    name: faultOfName(condition),
    operator: isWrongOperator ? 'must be equals for an address' : undefined,
    value: faultOfValue(condition),
  }
  for (const [path, message] of Object.entries(faults))
    if (message !== undefined) context.addIssue({ code: 'custom', path: [path], message })
}).meta({ examples: [{ field: 'path', operator: 'begins', value: '/private/' }] })
export type Condition = z.infer<typeof Condition>

export const CustomRule = z.strictObject({
  id: Id.optional().describe('of a rule that is there already; new rules get one'),
  action: z.enum(['block', 'allow']).describe('allow: neither refused nor limited'),
  match: z.enum(['all', 'any']).describe('how many conditions must be met'),
  conditions: z.array(Condition).min(1).max(MOST_CONDITIONS).describe('what must be met'),
  note: z
    .union([z.literal(''), Label])
    .prefault('')
    .describe('what it is for'),
  enabled: z.boolean().prefault(true).describe('false: kept, without effect'),
})

export const StoredRule = CustomRule.extend({ id: z.string() })
export type StoredRule = z.infer<typeof StoredRule>
