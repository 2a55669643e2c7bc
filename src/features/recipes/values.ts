import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { deleteValue, inputsOf, keepValue, listValues, type RecipeRow } from './recipe-store.ts'
import type { RecipeInput } from './steps/contract.ts'

export type InputValue = string | number | boolean

/** Shorter ones could not be taken out of what a plugin says. */
const SHORTEST_SECRET = 4

const purposeOf = (recipeId: string, name: string) => `recipe-input:${recipeId}:${name}`

/** Every value of a recipe, secrets included: for running it, and for nothing else. */
export const openValues = async (
  { db, secrets }: Pick<Scope, 'db' | 'secrets'>,
  recipeId: string,
): Promise<ReadonlyMap<string, InputValue>> =>
  new Map(
    (await listValues(db, recipeId)).map(({ name, sealed_value }) => [
      name,
      JSON.parse(secrets.open(purposeOf(recipeId, name), sealed_value)) as InputValue,
    ]),
  )

/** Those that are not secret. */
export const openShownValues = (
  { secrets }: Pick<Scope, 'secrets'>,
  recipe: RecipeRow,
  sealed: ReadonlyMap<string, string>,
) =>
  new Map(
    inputsOf(recipe).flatMap(({ name, secret }): [string, InputValue][] => {
      const value = secret ? undefined : sealed.get(name)
      return value === undefined
        ? []
        : [[name, JSON.parse(secrets.open(purposeOf(recipe.id, name), value)) as InputValue]]
    }),
  )

const TYPE_OF = { text: 'string', number: 'number', flag: 'boolean' } as const

const wrong = (name: string, message: string) =>
  new Problem('validation_error', 'Check the marked fields.', [{ in: 'body', path: `values.${name}`, message }])

const requireFitting = (input: RecipeInput | undefined, name: string, value: InputValue | null): void => {
  if (!input) throw wrong(name, 'must be an input of this recipe')
  if (value === null) return
  if (typeof value !== TYPE_OF[input.type]) throw wrong(name, `must be a ${input.type}`)
  if (value === '') throw wrong(name, 'must not be empty; null removes it')
  if (typeof value === 'string' && /[\p{Cc}\p{Cs}]/u.test(value)) throw wrong(name, 'must be one line of text')
  if (input.secret && String(value).length < SHORTEST_SECRET)
    throw wrong(name, `must have at least ${SHORTEST_SECRET} characters`)
}

/** All of them or none. */
export const setValues = async (
  { db, secrets }: Scope,
  recipe: RecipeRow,
  values: Readonly<Record<string, InputValue | null>>,
): Promise<string[]> => {
  const inputs = new Map(inputsOf(recipe).map(input => [input.name, input]))
  for (const [name, value] of Object.entries(values)) requireFitting(inputs.get(name), name, value)
  await db.transaction().execute(async on => {
    for (const [name, value] of Object.entries(values)) {
      const sealed = () => secrets.seal(purposeOf(recipe.id, name), JSON.stringify(value))
      if (value === null) await deleteValue(on, recipe.id, name)
      else await keepValue(on, { recipe_id: recipe.id, name, sealed_value: sealed() })
    }
  })
  return (await listValues(db, recipe.id)).map(({ name }) => name)
}

/** The values of inputs that are gone or mean something else now: a secret never becomes readable this way. */
export const outdatedValues = (before: readonly RecipeInput[], after: readonly RecipeInput[]): string[] =>
  before
    .filter(old => {
      const now = after.find(({ name }) => name === old.name)
      return !now || now.type !== old.type || now.secret !== old.secret
    })
    .map(({ name }) => name)

export const missingInputs = (inputs: readonly RecipeInput[], set: ReadonlySet<string>): string[] =>
  inputs.filter(({ name, required }) => required && !set.has(name)).map(({ name }) => name)
