import type { z } from 'zod'
import { Problem } from '#platform/contract/problem.ts'
import type { SecretBox } from '#platform/secrets/box.ts'
import type { ScheduleAction } from './action.ts'
import type { ScheduleRow } from './schedule-store.ts'

const purpose = (id: string) => `schedule-input:${id}`

/** Sealed, because a command may hold a password. */
export const sealInput = (secrets: SecretBox, id: string, input: Readonly<Record<string, unknown>>): string =>
  secrets.seal(purpose(id), JSON.stringify(input))

export const inputOf = (secrets: SecretBox, row: Pick<ScheduleRow, 'id' | 'sealed_input'>): Record<string, unknown> =>
  JSON.parse(secrets.open(purpose(row.id), row.sealed_input)) as Record<string, unknown>

/** As the action's schema wants it. */
export const checkInput = ({ input: schema }: ScheduleAction, input: unknown): Record<string, unknown> => {
  const parsed = schema.strict().safeParse(input)
  if (parsed.success) return parsed.data
  const details = parsed.error.issues.map(toDetail)
  throw new Problem('validation_error', `Input ${details[0]?.message ?? 'is wrong'}.`, details)
}

const toDetail = (issue: z.core.$ZodIssue) => ({
  in: 'body',
  path: ['input', ...issue.path, ...('keys' in issue ? issue.keys : [])].join('.'),
  message: issue.message,
})
