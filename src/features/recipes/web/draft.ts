import { Problem } from '#platform/contract/problem.ts'
import { checked } from '#web/kit/field-errors.ts'
import { type Recipe, type RecipeInput, recipes } from '../contract.ts'

/** A step as it stands in the form: every field as a text, JSON where it is not a plain value. */
export interface DraftStep {
  readonly key: string
  readonly kind: string
  readonly fields: Readonly<Record<string, string>>
}

export type DraftInput = RecipeInput & { readonly key: string }

/** What stands in the form. */
export interface Draft {
  name: string
  description: string
  pluginId: string
  inputs: readonly DraftInput[]
  afterInstall: readonly DraftStep[]
  verify: readonly DraftStep[]
}

export const newKey = (): string => crypto.randomUUID()

/** The part of a JSON Schema that fields are made from. */
export interface FieldSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly const?: string
  readonly description?: string
  readonly default?: unknown
}

export type FieldKind = 'text' | 'number' | 'choice' | 'json'

export const fieldKindOf = ({ type, enum: choices }: FieldSchema): FieldKind => {
  if (choices) return 'choice'
  if (type === 'string') return 'text'
  return type === 'integer' || type === 'number' ? 'number' : 'json'
}

const textOf = (value: unknown, kind: FieldKind): string =>
  kind === 'json' || typeof value !== 'string' ? JSON.stringify(value) : value

type Schemas = ReadonlyMap<string, Readonly<Record<string, FieldSchema>>>

const draftStep = (step: object & { kind: string }, schemas: Schemas): DraftStep => ({
  key: newKey(),
  kind: step.kind,
  fields: Object.fromEntries(
    Object.entries(step)
      .filter(([name, value]) => name !== 'kind' && value !== undefined)
      .map(([name, value]) => [name, textOf(value, fieldKindOf(schemas.get(step.kind)?.[name] ?? {}))]),
  ),
})

export const draftOf = (recipe: Recipe, schemas: Schemas): Draft => ({
  name: recipe.name,
  description: recipe.description,
  pluginId: recipe.pluginId ?? '',
  inputs: recipe.export.inputs.map(input => ({ ...input, key: newKey() })),
  afterInstall: recipe.hooks.afterInstall.map(step => draftStep(step, schemas)),
  verify: recipe.hooks.verify.map(step => draftStep(step, schemas)),
})

const valueOf = (text: string, kind: FieldKind, path: string): unknown => {
  if (kind === 'text' || kind === 'choice') return text
  try {
    return JSON.parse(text)
  } catch {
    const message = kind === 'number' ? 'must be a number' : 'must be JSON; put texts in quotes'
    throw new Problem('validation_error', 'Check the marked fields.', [{ path, message }])
  }
}

const stepOf = ({ kind, fields }: DraftStep, schemas: Schemas, path: string) => ({
  kind,
  ...Object.fromEntries(
    Object.entries(fields)
      .filter(([, text]) => text.trim() !== '')
      .map(([name, text]) => [name, valueOf(text, fieldKindOf(schemas.get(kind)?.[name] ?? {}), `${path}.${name}`)]),
  ),
})

/** What is sent, checked first. */
export const bodyOf = (draft: Draft, schemas: Schemas) => {
  const stepsOf = (hook: 'afterInstall' | 'verify') =>
    draft[hook].map((step, at) => stepOf(step, schemas, `hooks.${hook}.${at}`))
  const body = {
    name: draft.name.trim(),
    description: draft.description,
    pluginId: draft.pluginId === '' ? null : draft.pluginId,
    inputs: draft.inputs.map(({ name, label, type, required, secret }) => ({ name, label, type, required, secret })),
    hooks: { afterInstall: stepsOf('afterInstall'), verify: stepsOf('verify') },
  }
  return checked(recipes.recipeCreate.body, body as never)
}
