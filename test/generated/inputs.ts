import { z } from 'zod'
import type { AnyArgs } from '#platform/contract/client.ts'
import type { Endpoint } from '#platform/contract/endpoint.ts'

export const PARTS = ['params', 'query', 'body'] as const
export type Part = (typeof PARTS)[number]

/** One place of a request where a value goes. */
export interface Input {
  part: Part
  path: readonly string[]
}

const innerOf = (schema: z.ZodType): z.ZodType | undefined => {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly
  )
    return schema.unwrap() as z.ZodType
  return undefined
}

/** The paths of every leaf a schema has; in a list the first item, in a record a key of our own. */
export const leavesOf = (schema: z.ZodType): string[][] => {
  const inner = innerOf(schema)
  if (inner) return leavesOf(inner)
  const below = (name: string, field: z.ZodType) => leavesOf(field).map(path => [name, ...path])
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, field]) => below(name, field as z.ZodType))
  if (schema instanceof z.ZodArray) return below('0', schema.element as z.ZodType)
  if (schema instanceof z.ZodRecord) return below('some', schema.valueType as z.ZodType)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(option => leavesOf(option as z.ZodType))
  return [[]]
}

/** Every place of a request to this endpoint where a caller puts a value. */
export const inputsOf = (endpoint: Endpoint): Input[] =>
  PARTS.flatMap(part => {
    const schema = endpoint[part]
    return schema ? leavesOf(schema).map(path => ({ part, path })) : []
  })

const put = (container: unknown, [name, ...rest]: readonly string[], value: unknown): unknown => {
  if (name === undefined) return value
  if (Array.isArray(container) || (container === undefined && name === '0'))
    return [put((container as unknown[] | undefined)?.[Number(name)], rest, value)]
  const known = typeof container === 'object' && container !== null ? (container as Record<string, unknown>) : {}
  return { ...known, [name]: put(known[name], rest, value) }
}

/** The same request with one value replaced. */
export const withInput = (args: AnyArgs, { part, path }: Input, value: unknown): AnyArgs => ({
  ...args,
  [part]: put(args[part], path, value),
})
