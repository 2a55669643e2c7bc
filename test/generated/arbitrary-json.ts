import fc from 'fast-check'
import { PAYLOADS } from './payloads.ts'

/** The words of JSON Schema that our contracts use. */
export interface JsonSchema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  propertyNames?: JsonSchema
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
}

const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.constantFrom(...PAYLOADS) },
)

/** Long enough for any lower limit, cut at any upper one. */
const fitted = (text: string, min: number, max: number) =>
  text.padEnd(min, 'x').slice(0, Math.max(min, max)).toWellFormed()

/** Patterns with classes of Unicode cannot be run backwards; text of all kinds is tried against them instead. */
const madeFor = (pattern: RegExp): fc.Arbitrary<string> => {
  const tried = anyText.filter(text => pattern.test(text))
  return pattern.source.includes('\\p{') ? tried : fc.stringMatching(pattern)
}

/** Many fields share a pattern, and running one backwards takes long to prepare. */
const matching = (source: string): fc.Arbitrary<string> => {
  const made = matchers.get(source) ?? madeFor(new RegExp(source, 'u'))
  matchers.set(source, made)
  return made
}
const matchers = new Map<string, fc.Arbitrary<string>>()

const text = ({ pattern, minLength = 0, maxLength = 200, format }: JsonSchema): fc.Arbitrary<unknown> => {
  if (pattern !== undefined) return matching(pattern).filter(({ length }) => length >= minLength && length <= maxLength)
  if (format === 'uri') return fc.webUrl()
  if (format === 'email') return fc.emailAddress()
  return anyText.map(value => fitted(value, minLength, maxLength))
}

const integer = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  const min = schema.minimum ?? (schema.exclusiveMinimum ?? Number.MIN_SAFE_INTEGER) + 1
  const max = schema.maximum ?? (schema.exclusiveMaximum ?? Number.MAX_SAFE_INTEGER) - 1
  return fc
    .oneof(fc.maxSafeInteger(), fc.constantFrom(min, max), fc.nat())
    .map(value => Math.min(max, Math.max(min, value)))
}

const decimal = ({ minimum = -1e15, maximum = 1e15 }: JsonSchema): fc.Arbitrary<unknown> =>
  fc.double({ min: minimum, max: maximum, noNaN: true })

const object = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  const { properties, required = [], additionalProperties } = schema
  if (properties) {
    const model = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, arbitraryOfJson(field)]))
    return fc.record(model, { requiredKeys: required })
  }
  const names = text(schema.propertyNames ?? { maxLength: 20 }) as fc.Arbitrary<string>
  const values = typeof additionalProperties === 'object' ? arbitraryOfJson(additionalProperties) : anything
  return fc.dictionary(
    names.filter(name => name !== '__proto__'),
    values,
    { maxKeys: 4 },
  )
}

const anything: fc.Arbitrary<unknown> = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom<unknown>(...PAYLOADS))

const ofType = (type: string | undefined, schema: JsonSchema): fc.Arbitrary<unknown> => {
  switch (type) {
    case 'string':
      return text(schema)
    case 'integer':
      return integer(schema)
    case 'number':
      return decimal(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(arbitraryOfJson(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, (schema.minItems ?? 0) + 5),
      })
    case 'object':
      return object(schema)
    case undefined:
    default:
      return anything
  }
}

/** Values that a JSON Schema describes. */
export const arbitraryOfJson = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const variants = schema.anyOf ?? schema.oneOf
  if (variants) return fc.oneof(...variants.map(arbitraryOfJson))
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map(type => ofType(type, schema)))
  return ofType(schema.type, schema)
}
