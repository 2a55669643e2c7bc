import { z } from 'zod'
import { SiteSlug } from './identifiers.ts'

const marks = z.registry<{ isSite: true }>()
marks.add(SiteSlug, { isSite: true })

/** Schemas made from another one, such as by `describe`, are what that one is. */
const isSite = (schema: z.ZodType): boolean => marks.get(schema) !== undefined

const isWrapper = (schema: z.ZodType) =>
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodDefault ||
  schema instanceof z.ZodPrefault ||
  schema instanceof z.ZodReadonly

type Child = [schema: z.ZodType, value: unknown]

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** The parts of a schema, each with the part of the value that it is for. */
const childrenOf = (schema: z.ZodType, value: unknown): Child[] => {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).map(([name, field]) => [field as z.ZodType, asObject(value)[name]])
  if (schema instanceof z.ZodRecord)
    return Object.values(asObject(value)).map(field => [schema.valueType as z.ZodType, field])
  if (schema instanceof z.ZodArray)
    return (Array.isArray(value) ? value : []).map(item => [schema.element as z.ZodType, item])
  if (schema instanceof z.ZodUnion) return schema.options.map(option => [option as z.ZodType, value])
  if (schema instanceof z.ZodPipe) return [[schema.out as z.ZodType, value]]
  return isWrapper(schema) ? [[schema.unwrap() as z.ZodType, value]] : []
}

/** Every site that a checked value names, wherever in it. */
export const namedSites = (schema: z.ZodType | undefined, value: unknown): string[] => {
  if (schema === undefined || value === undefined || value === null) return []
  if (isSite(schema)) return typeof value === 'string' ? [value] : []
  return childrenOf(schema, value).flatMap(([part, inside]) => namedSites(part, inside))
}

/** Whether a schema has a place for a site at all. */
export const canNameSites = (schema: z.ZodType): boolean => {
  if (isSite(schema)) return true
  if (schema instanceof z.ZodArray) return canNameSites(schema.element as z.ZodType)
  if (schema instanceof z.ZodRecord) return canNameSites(schema.valueType as z.ZodType)
  return childrenOf(schema, {}).some(([part]) => canNameSites(part))
}
