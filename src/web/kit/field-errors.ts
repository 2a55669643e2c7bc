import { z } from 'zod'
import { Problem } from '#platform/contract/problem.ts'

const Faults = z.array(z.object({ path: z.string(), message: z.string() }))
type Fault = z.infer<typeof Faults>[number]

/** The wrong fields a problem names; none when it is about something else. */
export const faultsOf = (problem: Problem): Fault[] => {
  if (problem.code !== 'validation_error' && problem.code !== 'conflict') return []
  const faults = Faults.safeParse(problem.details)
  return faults.success ? faults.data : []
}

/** Texts of contracts start in lower case, because a field's name comes before them. */
export const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** What to write under a field. */
export const faultAt = (problem: Problem | undefined, field: string): string | undefined => {
  const fault = problem && faultsOf(problem).find(({ path }) => path === field)
  return fault && sentence(fault.message)
}

const isEmptyAt = (values: unknown, path: string) =>
  typeof values === 'object' && values !== null && Reflect.get(values, path) === ''

/** Checks a form against its contract before it is sent, and reports as the panel itself would. */
export const checked = <S extends z.ZodType>(schema: S, values: z.input<S>): z.input<S> => {
  const result = schema.safeParse(values)
  if (result.success) return values
  const faults = result.error.issues.map(issue => {
    const path = issue.path.join('.')
    return { path, message: isEmptyAt(values, path) ? 'This field is required' : issue.message }
  })
  throw new Problem('validation_error', 'Check the marked fields.', faults)
}
