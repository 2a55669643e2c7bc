import { z } from 'zod'
import { REST_ROUTE } from '#features/wordpress/contract.ts'
import { Label, NO_CONTROL } from '#platform/contract/identifiers.ts'

const LONGEST_JSON = 8 * 1024
const DEEPEST_JSON = 12

export const LICENSE_STATUSES = ['not-applied', 'valid', 'invalid', 'expired', 'unknown'] as const
export const RECIPE_HOOKS = ['afterInstall', 'verify'] as const
export const INPUT_TYPES = ['text', 'number', 'flag'] as const

export const InputName = z
  .string()
  .min(1)
  .max(40)
  .regex(/^[a-z][A-Za-z0-9_]*$/, 'must begin with a lowercase letter, then letters, digits and _')

/** A value that people set once for all sites. */
export const RecipeInput = z.strictObject({
  name: InputName.describe('what steps call it'),
  label: Label.describe('what people read'),
  type: z.enum(INPUT_TYPES).prefault('text').describe('text, number, or flag for yes and no'),
  required: z.boolean().prefault(true).describe('nothing is applied without it'),
  secret: z.boolean().prefault(false).describe('never shown again, and never part of a command line'),
})
export type RecipeInput = z.infer<typeof RecipeInput>

/** The whole value of an input, never a part of another text. */
export const InputRef = z.strictObject({ $input: InputName.describe('name of the input') })
export type InputRef = z.infer<typeof InputRef>

const text = z.string().max(300).regex(NO_CONTROL, 'must not contain control characters')
export const Word = z.union([text, InputRef])
export type Word = z.infer<typeof Word>
const Scalar = z.union([text, z.number(), z.boolean(), InputRef])

const depthOf = (value: unknown): number =>
  value !== null && typeof value === 'object' ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

/** Any JSON, with inputs in it wherever a value may stand. */
const JsonValue = z
  .unknown()
  .refine(value => value === undefined || JSON.stringify(value).length <= LONGEST_JSON, 'must be at most 8 KiB of JSON')
  .refine(value => depthOf(value) <= DEEPEST_JSON, 'must not be nested so deeply')

const Key = z.string().min(1).max(100).regex(NO_CONTROL, 'must not contain control characters')
const Path = z.array(Key).max(10).prefault([])
const Route = z.string().max(300).regex(REST_ROUTE, 'must be a route such as /acme/v1/license')
const OptionName = z
  .string()
  .min(1)
  .max(191)
  .regex(/^[!-~]+$/, 'must be the name of an option, such as acme_settings')

const Args = z.array(Word).min(1).max(20).describe('the words after wp; a secret input goes to stdin')
const Stdin = z.array(Word).max(5).optional().describe('one line each, for --prompt')
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const wpCli = { args: Args, stdin: Stdin }
const rest = {
  method: z.enum(METHODS).prefault('GET').describe('method of the request'),
  route: Route.describe('below /wp-json, called as the first admin of the site'),
  body: JsonValue.optional().describe('any JSON'),
}

const Read = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('wp-cli'), ...wpCli }),
    z.strictObject({ kind: z.literal('rest'), ...rest }),
    z.strictObject({ kind: z.literal('option'), option: OptionName }),
  ])
  .describe('what is looked at: the output of a command, the answer of a route, or an option')
export type Read = z.infer<typeof Read>

const check = {
  read: Read,
  path: Path.describe('where in the JSON; the whole of it if empty'),
  operator: z.enum(['equals', 'differs', 'contains', 'exists']).prefault('equals').describe('how it is compared'),
  value: Scalar.optional().describe('what it is compared with'),
}
const Check = z.strictObject(check)
export type Check = z.infer<typeof Check>

/** What WordPress and the panel rely on. */
const RESERVED = /^(?:DB_.*|ABSPATH|WP_HOME|WP_SITEURL|FLEETPRESS_.*|.*AUTH_KEY|.*AUTH_SALT|LOGGED_IN_.*|NONCE_.*)$/

const ConstantName = z
  .string()
  .max(64)
  .regex(/^[A-Z_][A-Z0-9_]*$/, 'must be a constant, in capitals')
  .refine(name => !RESERVED.test(name), 'must not be a constant that WordPress needs')

export const STEPS = {
  'wp-cli': {
    label: 'WP-CLI command',
    description: 'Runs WP-CLI on the site, up to 55 seconds, with no shell in between.',
    schema: z.strictObject({ kind: z.literal('wp-cli'), ...wpCli }),
  },
  option: {
    label: 'Option',
    description: 'Sets an option of WordPress, or one value inside it.',
    schema: z.strictObject({
      kind: z.literal('option'),
      option: OptionName.describe('name of the option'),
      path: Path.describe('keys that lead to the value; the whole option if empty'),
      value: JsonValue.describe('any JSON'),
    }),
  },
  rest: {
    label: 'REST call',
    description: 'Calls a REST route of the site as its first admin. An answer of 400 or above fails.',
    schema: z.strictObject({ kind: z.literal('rest'), ...rest }),
  },
  constant: {
    label: 'Constant',
    description: 'Sets a constant in wp-config.php.',
    schema: z.strictObject({
      kind: z.literal('constant'),
      name: ConstantName.describe('name of the constant'),
      value: Scalar.describe('text, number, or yes and no'),
    }),
  },
  'wait-until': {
    label: 'Wait until',
    description: 'Looks again and again until it is so, or the time is over.',
    schema: z.strictObject({
      kind: z.literal('wait-until'),
      ...check,
      timeoutSeconds: z.int().min(1).max(300).prefault(60).describe('how long it may take'),
    }),
  },
  expect: {
    label: 'Expect',
    description: 'Fails unless it is so, and says what that means for the license.',
    schema: z.strictObject({
      kind: z.literal('expect'),
      ...check,
      otherwise: z.enum(['invalid', 'expired', 'unknown']).prefault('invalid').describe('what the license is then'),
    }),
  },
} as const

export const STEP_KINDS = Object.keys(STEPS) as (keyof typeof STEPS)[]

export const RecipeStep = z.discriminatedUnion('kind', [
  STEPS['wp-cli'].schema,
  STEPS.option.schema,
  STEPS.rest.schema,
  STEPS.constant.schema,
  STEPS['wait-until'].schema,
  STEPS.expect.schema,
])
export type RecipeStep = z.infer<typeof RecipeStep>

const Steps = z.array(RecipeStep).max(20).prefault([])

export const RecipeHooks = z.strictObject({
  afterInstall: Steps.describe('done when the recipe is applied'),
  verify: Steps.describe('only Expect and Wait until: what must be so for a valid license'),
})
export type RecipeHooks = z.infer<typeof RecipeHooks>
