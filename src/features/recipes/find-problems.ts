import type { RecipeBody, RecipeProblem } from './contract.ts'
import { InputRef, type RecipeStep } from './steps/contract.ts'

const VERIFYING: readonly RecipeStep['kind'][] = ['expect', 'wait-until']

interface Used {
  readonly name: string
  readonly path: string
}

/** Every input that a value refers to. */
const inputsIn = (value: unknown, path: string): Used[] => {
  const ref = InputRef.safeParse(value)
  if (ref.success) return [{ name: ref.data.$input, path }]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) => inputsIn(inner, `${path}.${key}`))
}

/** What a schema can't say: steps that refer to nothing, secrets in command lines, checks that change something. */
export const findProblems = ({ inputs, hooks }: Pick<RecipeBody, 'inputs' | 'hooks'>): RecipeProblem[] => {
  const problems: RecipeProblem[] = []
  const known = new Map(inputs.map(input => [input.name, input]))
  for (const [at, { name }] of inputs.entries())
    if (inputs.findIndex(input => input.name === name) !== at)
      problems.push({ path: `inputs.${at}.name`, message: `${name} is there twice.` })
  for (const [hook, steps] of Object.entries(hooks))
    for (const [at, step] of steps.entries()) {
      const path = `hooks.${hook}.${at}`
      if (hook === 'verify' && !VERIFYING.includes(step.kind))
        problems.push({ path, message: 'Only Expect and Wait until can stand here: a check changes nothing.' })
      for (const used of inputsIn(step, path)) problems.push(...problemsOf(used, known))
      problems.push(...problemsOfCheck(step, path))
    }
  return problems
}

const problemsOf = ({ name, path }: Used, known: ReadonlyMap<string, { secret: boolean }>): RecipeProblem[] => {
  const input = known.get(name)
  if (!input) return [{ path, message: `There is no input ${name}.` }]
  if (input.secret && /\.args\.\d+$/.test(path))
    return [{ path, message: `${name} is secret and must not be in a command line. Use stdin with --prompt.` }]
  return []
}

const problemsOfCheck = (step: RecipeStep, path: string): RecipeProblem[] =>
  'operator' in step && (step.operator === 'exists') !== (step.value === undefined)
    ? [{ path: `${path}.value`, message: 'Say what it is compared with; only exists needs nothing.' }]
    : []
