import { z } from 'zod'
import * as identifiers from '#platform/contract/identifiers.ts'
import { schemaOf } from './openapi-schema.ts'

type Json = Record<string, unknown>

/** Shorter ones are as easy to read where they stand. */
const WORTH_A_NAME = 60

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')

/** What a schema says apart from the words about this one place. */
const meaningOf = (schema: Json): Json => {
  const { description: _, default: __, ...meaning } = schema
  return meaning
}

const keyOf = (schema: Json): string => JSON.stringify(meaningOf(schema))

const isSchema = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The schemas inside a schema, each with a name for what stands there, put through `change`. */
const mapInside = (schema: Json, name: string, change: (inner: Json, name: string) => Json): Json => {
  const mapOne = (value: unknown, inner: string) => (isSchema(value) ? change(value, inner) : value)
  const copy: Json = { ...schema }
  if (isSchema(schema.properties))
    copy.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([field, value]) => [field, mapOne(value, pascal(field))]),
    )
  if (schema.items !== undefined) copy.items = mapOne(schema.items, singular(name))
  for (const word of ['additionalProperties', 'propertyNames'])
    if (schema[word] !== undefined) copy[word] = mapOne(schema[word], name)
  for (const word of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(schema[word])) copy[word] = schema[word].map(value => mapOne(value, name))
  return copy
}

/** Names that are spelled out in code: those of the kinds of names. */
const knownNames = (): Map<string, string> =>
  new Map(
    Object.entries(identifiers).flatMap(([name, kind]): [string, string][] =>
      kind instanceof z.ZodType ? [[keyOf(schemaOf(kind, 'input')), name]] : [],
    ),
  )

/** One place of the document where a schema stands: what it could be called, and for which operation it is there. */
export interface Place {
  schema: Json
  name: string
  operationId: string
}

/** The best name first: one from code, what the place is called, then what tells it from others of that name. */
const wishesFor = ({ name, operationId }: Place, known: string | undefined): string[] => {
  const owner = pascal(operationId)
  return [known, name === 'Item' ? owner.replace(/List$/, '') : name, `${owner}${name}`].filter(
    wish => wish !== undefined,
  )
}

/** Finds the schemas that stand in several places, and puts a reference in each. */
export class Components {
  readonly schemas: Record<string, Json> = {}
  readonly #counts = new Map<string, number>()
  readonly #known = knownNames()
  readonly #named = new Map<string, string>()

  constructor(places: readonly Place[]) {
    for (const { schema, name } of places) this.#count(schema, name)
  }

  /** What is inside a schema that was met before is not met again. */
  #count(schema: Json, name: string): Json {
    const key = keyOf(schema)
    const before = this.#counts.get(key) ?? 0
    this.#counts.set(key, before + 1)
    return before > 0 ? schema : mapInside(schema, name, (inner, field) => this.#count(inner, field))
  }

  /** The schema as it stands in the document. */
  refer(place: Place): Json {
    const { schema, name, operationId } = place
    const key = keyOf(schema)
    const inside = (inner: Json, field: string) => this.refer({ schema: inner, name: field, operationId })
    if (key.length < WORTH_A_NAME || (this.#counts.get(key) ?? 0) < 2) return mapInside(schema, name, inside)
    const { description, default: usual } = schema
    const about = {
      ...(description === undefined ? {} : { description }),
      ...(usual === undefined ? {} : { default: usual }),
    }
    return { $ref: `#/components/schemas/${this.#nameOf(place, key)}`, ...about }
  }

  #nameOf(place: Place, key: string): string {
    const before = this.#named.get(key)
    if (before !== undefined) return before
    const known = this.#known.get(key)
    const kept = new Set(this.#known.values())
    const wishes = wishesFor(place, known)
    const isFree = (wish: string) => !(wish in this.schemas) && (wish === known || !kept.has(wish))
    const made = wishes.find(isFree) ?? `${wishes.at(-1)}${this.#named.size}`
    this.#named.set(key, made)
    // The name is taken before those of its parts are.
    this.schemas[made] = {}
    this.schemas[made] = mapInside(meaningOf(place.schema), made, (inner, field) =>
      this.refer({ ...place, schema: inner, name: field }),
    )
    return made
  }
}
