import { z } from 'zod'
import { features } from '#app/features.ts'
import type { Feature } from '#platform/feature.ts'
import { PARTS } from './inputs.ts'

/** A field that callers fill, wherever it stands. */
export interface Field {
  where: string
  name: string
  schema: z.ZodType
}

const partsOf = (schema: z.ZodType): [string, z.ZodType][] => {
  if (schema instanceof z.ZodObject) return Object.entries(schema.shape) as [string, z.ZodType][]
  const inner = (one: unknown): [string, z.ZodType] => ['', one as z.ZodType]
  if (schema instanceof z.ZodArray) return [inner(schema.element)]
  if (schema instanceof z.ZodUnion) return schema.options.map(inner)
  if (schema instanceof z.ZodRecord) return [inner(schema.keyType), inner(schema.valueType)]
  if (schema instanceof z.ZodPipe) return [inner(schema.in), inner(schema.out)]
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return [inner(schema.unwrap())]
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return [inner(schema.unwrap())]
  return []
}

const fieldsIn = (where: string, name: string, schema: z.ZodType): Field[] => [
  { where, name, schema },
  ...partsOf(schema).flatMap(([field, inner]) =>
    field === '' ? fieldsIn(where, name, inner) : fieldsIn(`${where}.${field}`, field, inner),
  ),
]

/** Every field of every request and every setting. */
export const fieldsOf = (those: readonly Feature[] = features): Field[] =>
  those.flatMap(({ contract, settings = [] }) => [
    ...Object.entries(contract).flatMap(([id, endpoint]) =>
      PARTS.flatMap(part => (endpoint[part] ? fieldsIn(`${id}.${part}`, '', endpoint[part]) : [])),
    ),
    ...settings.flatMap(({ id, fields }) => fieldsIn(`settings.${id}`, '', fields)),
  ])

/** The very patterns a schema checks with: the objects, so that a copy of the text is another one. */
export const patternsOf = (schema: z.ZodType): RegExp[] => {
  const { checks = [] } = schema.def as { checks?: object[] }
  return checks.flatMap(check => {
    const { def } = Reflect.get(check, '_zod') as { def: { pattern?: RegExp } }
    return def.pattern ? [def.pattern] : []
  })
}

/** What a schema says in JSON, its describing words left out. */
export const meaningOf = (schema: z.ZodType): string => {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>
  const { $schema: _, description: __, default: ___, ...rest } = json
  return JSON.stringify(rest, Object.keys(rest).toSorted())
}
