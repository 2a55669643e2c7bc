import { z } from 'zod'
import type { Endpoint } from '#platform/contract/endpoint.ts'
import { kebab } from './names.ts'

export type Kind = 'string' | 'number' | 'boolean' | 'list' | 'json'

/** One thing an endpoint takes, and how it is said on the command line. */
export interface Field {
  place: 'params' | 'query' | 'body'
  name: string
  flag: string
  kind: Kind
  /** What the items of a list are. */
  item: Kind
  choices: string[]
  nullable: boolean
  required: boolean
  secret: boolean
  description: string
}

/** The few words of JSON Schema that matter here. */
interface Shape {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  anyOf?: Shape[]
  oneOf?: Shape[]
  description?: string
  default?: unknown
}

/** Options of every generated command; a field of the same name is said as `--field-<name>`. */
const RESERVED = 'json yes url wait timeout help body version file output if-match create-only wide columns'.split(' ')

const SECRET = /^(?:password|passphrase|token|code|secret|challenge)$|(?:Password|Passphrase|Token|Secret)$/

export const isSecret = (name: string): boolean => SECRET.test(name)

const flagOf = (name: string): string => {
  const flag = kebab(name)
  return RESERVED.includes(flag) || flag.startsWith('no-') ? `field-${flag}` : flag
}

const variantsOf = (shape: Shape): Shape[] => {
  const variants = shape.anyOf ?? shape.oneOf
  if (variants) return variants.flatMap(variantsOf)
  return Array.isArray(shape.type) ? shape.type.map(type => ({ ...shape, type })) : [shape]
}

const choicesOf = (variants: Shape[]): string[] => {
  const values = variants.map(one => one.enum ?? (one.const === undefined ? undefined : [one.const]))
  return values.every(value => value !== undefined) ? [...new Set(values.flat().map(String))] : []
}

const kindOf = (variants: Shape[]): Kind => {
  const types = new Set(variants.map(({ type, const: only }) => type ?? typeof only))
  if (types.has('string')) return 'string'
  if (types.size !== 1) return 'json'
  if (types.has('number') || types.has('integer')) return 'number'
  if (types.has('boolean')) return 'boolean'
  return types.has('array') ? 'list' : 'json'
}

const describe = (shape: Shape): string => {
  const text = shape.description ?? ''
  if (shape.default === undefined) return text
  return `${text}${text === '' ? '' : ' '}(default: ${JSON.stringify(shape.default)})`
}

const fieldOf = (place: Field['place'], name: string, shape: Shape, required: boolean): Field => {
  const variants = variantsOf(shape)
  const given = variants.filter(({ type }) => type !== 'null')
  const kind = kindOf(given)
  return {
    place,
    name,
    flag: flagOf(name),
    kind,
    item: kind === 'list' ? kindOf(variantsOf(given[0]?.items ?? {})) : kind,
    choices: choicesOf(kind === 'list' ? variantsOf(given[0]?.items ?? {}) : given),
    nullable: given.length < variants.length,
    required,
    secret: place !== 'params' && isSecret(name),
    description: describe(shape),
  }
}

const shapeOf = (schema: z.ZodType): Shape => {
  // Written out and read back: what is left is plain data of exactly these words.
  const shape: Shape = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })))
  return shape
}

const fieldsIn = (place: Field['place'], schema: z.ZodType | undefined): Field[] => {
  if (!schema) return []
  const variants = variantsOf(shapeOf(schema))
  const found = new Map<string, Field>()
  for (const { properties = {} } of variants) {
    for (const [name, shape] of Object.entries(properties)) {
      // Of several forms of a body, only what every form needs has to be given.
      const required = variants.every(one => one.required?.includes(name))
      if (!found.has(name)) found.set(name, fieldOf(place, name, shape, required))
    }
  }
  return [...found.values()]
}

/** Path parameters come first and in the order of the path, because they are words, not options. */
export const fieldsOf = (endpoint: Endpoint): Field[] => {
  const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  const params = fieldsIn('params', endpoint.params)
  const missing = inPath.filter(name => !params.some(field => field.name === name))
  const all = [...params, ...missing.map(name => fieldOf('params', name ?? '', { type: 'string' }, true))]
  return [
    ...all.toSorted((a, b) => inPath.indexOf(a.name) - inPath.indexOf(b.name)),
    ...fieldsIn('query', endpoint.query),
    ...fieldsIn('body', endpoint.body),
  ]
}

/** Whether an answer is a list, shown as a table. */
export const givesList = ({ reply }: Endpoint): boolean =>
  reply !== undefined && 'items' in (shapeOf(reply).properties ?? {})

/** A body that is not a set of named fields is given whole, as JSON. */
export const takesWholeBody = (endpoint: Endpoint): boolean =>
  endpoint.body !== undefined && fieldsIn('body', endpoint.body).length === 0
