import { z } from 'zod'
import { type Level, reaches } from './level.ts'

const marks = z.registry<{ needs: Level }>()

/** Marks a field that only callers of at least this level get to see; others get null in its place. */
export const onlyFor = <S extends z.ZodType>(needs: Level, schema: S): z.ZodNullable<S> => {
  const marked = schema.nullable()
  marks.add(marked, { needs })
  return marked
}

const children = (schema: z.ZodType): z.ZodType[] => {
  if (schema instanceof z.ZodObject) return Object.values(schema.shape) as z.ZodType[]
  if (schema instanceof z.ZodArray) return [schema.element as z.ZodType]
  if (schema instanceof z.ZodRecord) return [schema.valueType as z.ZodType]
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return [schema.unwrap() as z.ZodType]
  }
  if (schema instanceof z.ZodUnion) return schema.options as z.ZodType[]
  return []
}

const answered = new WeakMap<z.ZodType, boolean>()

/** Whether any field of the schema is marked; answers without marks are never walked. */
export const holdsMarks = (schema: z.ZodType): boolean => {
  const before = answered.get(schema)
  if (before !== undefined) return before
  const found = marks.get(schema) !== undefined || children(schema).some(holdsMarks)
  answered.set(schema, found)
  return found
}

/** The value as a caller of this level may see it. The one place where fields are withheld. */
export const withhold = (schema: z.ZodType, value: unknown, level: Level): unknown => {
  if (value === null || value === undefined || !holdsMarks(schema)) return value
  const mark = marks.get(schema)
  if (mark && !reaches(level, mark.needs)) return null
  if (schema instanceof z.ZodObject) return withholdObject(schema, value as Record<string, unknown>, level)
  if (schema instanceof z.ZodArray)
    return (value as unknown[]).map(item => withhold(schema.element as z.ZodType, item, level))
  if (schema instanceof z.ZodRecord) {
    return Object.fromEntries(
      Object.entries(value).map(([k, v]) => [k, withhold(schema.valueType as z.ZodType, v, level)]),
    )
  }
  if (schema instanceof z.ZodUnion) return withholdUnion(schema, value, level)
  const inner = children(schema)[0]
  return inner ? withhold(inner, value, level) : value
}

const withholdObject = (schema: z.ZodObject, value: Record<string, unknown>, level: Level) =>
  Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const fieldSchema = schema.shape[name] as z.ZodType | undefined
      return [name, fieldSchema ? withhold(fieldSchema, field, level) : field]
    }),
  )

/** Every option that fits takes its marked fields away, so an ambiguous value never shows more than the strictest. */
const withholdUnion = (schema: z.ZodUnion, value: unknown, level: Level) =>
  (schema.options as z.ZodType[])
    .filter(option => option.safeParse(value).success)
    .reduce((left, option) => withhold(option, left, level), value)
