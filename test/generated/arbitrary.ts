import fc from 'fast-check'
import { z } from 'zod'
import type { AnyArgs } from '#platform/contract/client.ts'
import type { Endpoint } from '#platform/contract/endpoint.ts'
import { HostAddress } from '#platform/contract/identifiers.ts'
import { arbitraryOfJson, type JsonSchema } from './arbitrary-json.ts'

/** Values known to mean something here, such as ids of rows; each is used where it fits, next to made-up ones. */
export type Pool = readonly unknown[]

const unwrapped = (schema: z.ZodType): z.ZodType | undefined =>
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodDefault ||
  schema instanceof z.ZodPrefault ||
  schema instanceof z.ZodReadonly
    ? (schema.unwrap() as z.ZodType)
    : undefined

const jsonSchemaOf = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema

const fits = (schema: z.ZodType) => (value: unknown) => schema.safeParse(value).success

/** Made-up values that fit, and now and then a known one that fits. */
const withPool = (schema: z.ZodType, made: fc.Arbitrary<unknown>, pool: Pool): fc.Arbitrary<unknown> => {
  let known: Pool | undefined
  return fc.tuple(made, fc.nat(3), fc.nat()).map(([value, die, pick]) => {
    if (die !== 0) return value
    known ??= pool.filter(fits(schema))
    return known.length > 0 ? known[pick % known.length] : value
  })
}

const leaf = (schema: z.ZodType, pool: Pool): fc.Arbitrary<unknown> =>
  withPool(schema, arbitraryOfJson(jsonSchemaOf(schema)).filter(fits(schema)), pool)

const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success

const objectOf = (schema: z.ZodObject, pool: Pool): fc.Arbitrary<Record<string, unknown>> => {
  const fields = Object.entries(schema.shape) as [string, z.ZodType][]
  const required = fields.filter(([, field]) => !isOptional(field)).map(([name]) => name)
  const model = Object.fromEntries(fields.map(([name, field]) => [name, arbitraryOf(field, pool)]))
  return fc.record(model, { requiredKeys: required })
}

/** A comma list in a query: text that is split into an array of items. */
const itemsOfList = (schema: z.ZodType): z.ZodType | undefined =>
  schema instanceof z.ZodPipe && schema.out instanceof z.ZodArray && schema.safeParse('').success
    ? (schema.out.element as z.ZodType)
    : undefined

/** Names that don't resolve and addresses of this machine: no made-up request may reach a stranger. */
const harmlessHost: fc.Arbitrary<unknown> = fc.oneof(
  fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/).map(label => `${label}.invalid`),
  fc.constantFrom('127.0.0.1', '::1', 'localhost'),
)

/** Values that the schema takes. Structure comes from the schema itself, the leaves from its JSON Schema. */
export const arbitraryOf = (schema: z.ZodType, pool: Pool = []): fc.Arbitrary<unknown> => {
  const inner = unwrapped(schema)
  if (inner) {
    const made = arbitraryOf(inner, pool)
    return schema instanceof z.ZodNullable ? fc.option(made, { nil: null, freq: 5 }) : made
  }
  if (schema === HostAddress) return harmlessHost
  if (schema instanceof z.ZodObject) return objectOf(schema, pool)
  if (schema instanceof z.ZodArray)
    return fc.array(arbitraryOf(schema.element as z.ZodType, pool), { maxLength: 5 }).filter(fits(schema))
  if (schema instanceof z.ZodUnion)
    return fc.oneof(...schema.options.map(option => arbitraryOf(option as z.ZodType, pool)))
  const item = itemsOfList(schema)
  if (item) {
    const list = fc.array(arbitraryOf(item, pool), { maxLength: 4 })
    return list.map(parts => parts.map(String).join(',')).filter(fits(schema))
  }
  return leaf(schema, pool)
}

const partOf = (schema: z.ZodType | undefined, pool: Pool): fc.Arbitrary<unknown> =>
  schema ? arbitraryOf(schema, pool) : fc.constant(undefined)

/** What can be sent to an endpoint: all three parts as its contract asks for them. */
export const argsOf = (endpoint: Endpoint, pool: Pool = []): fc.Arbitrary<AnyArgs> =>
  fc
    .record({
      params: partOf(endpoint.params, pool),
      query: partOf(endpoint.query, pool),
      body: partOf(endpoint.body, pool),
    })
    .map(args => args as AnyArgs)

const SEED = 20_260_501
const TRIES = 200

const isValid = (endpoint: Endpoint, args: AnyArgs): boolean =>
  (['params', 'query', 'body'] as const).every(part => endpoint[part]?.safeParse(args[part]).success ?? true)

const samples = new WeakMap<Endpoint, AnyArgs>()

/** Always the same valid request of an endpoint. */
export const sampleArgs = (endpoint: Endpoint): AnyArgs => {
  const known = samples.get(endpoint)
  if (known) return known
  const made = argsOf(endpoint)
  for (let seed = SEED; seed < SEED + TRIES; seed += 1) {
    const [args] = fc.sample(made, { seed, numRuns: 1 })
    if (!args || !isValid(endpoint, args)) continue
    samples.set(endpoint, args)
    return args
  }
  throw new Error(`no valid request could be made for ${endpoint.method} ${endpoint.path}`)
}
