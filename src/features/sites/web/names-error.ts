import type { Problem } from '#platform/contract/problem.ts'
import { faultsOf, sentence } from '#web/kit/field-errors.ts'

/** What to write under a field that holds several names: the first of them that is wrong. */
export const namesError = (problem: Problem | undefined): string | undefined => {
  const fault = problem && faultsOf(problem).find(({ path }) => path === 'domains' || path.startsWith('domains.'))
  if (!fault) return undefined
  const [, position] = fault.path.split('.')
  return sentence(position === undefined ? fault.message : `name ${Number(position) + 1} ${fault.message}`)
}
