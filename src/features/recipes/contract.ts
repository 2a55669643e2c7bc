import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { Id, Label, Notes } from '#platform/contract/identifiers.ts'
import { onlyFor } from '#platform/contract/withhold.ts'
import { InputName, LICENSE_STATUSES, RecipeHooks, RecipeInput } from './steps/contract.ts'

const MIB = 1024 ** 2
const MOST_INPUTS = 20

export const FORMAT = 'fleetpress-recipe'
export const FORMAT_VERSION = 1

const inputs = z.array(RecipeInput).max(MOST_INPUTS).prefault([]).describe('values that people set once for all sites')
const hooks = RecipeHooks.prefault({}).describe('what is done after an install, and what is checked')
const description = Notes.prefault('').describe('notes for people')

export const RecipeBody = z.strictObject({
  name: Label.describe('what the panel calls it'),
  description,
  pluginId: Id.nullable().prefault(null).describe('the plugin of the catalog that it sets up'),
  inputs,
  hooks,
})
export type RecipeBody = z.infer<typeof RecipeBody>

export const ExportedRecipe = z.strictObject({
  format: z.literal(FORMAT).describe('says what this is'),
  version: z.literal(FORMAT_VERSION).describe('of the format'),
  name: Label.describe('what the panel calls it'),
  description,
  plugin: z
    .string()
    .max(100)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be the folder of a plugin')
    .nullable()
    .prefault(null)
    .describe('the folder of its plugin'),
  inputs,
  hooks,
})
export type ExportedRecipe = z.infer<typeof ExportedRecipe>

const ShownInput = RecipeInput.extend({
  isSet: z.boolean().describe('whether it has a value'),
  value: onlyFor('manage', z.union([z.string(), z.number(), z.boolean()])).describe('null for secrets, always'),
})

export const Recipe = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  pluginId: z.string().nullable(),
  pluginName: z.string().nullable(),
  pluginSlug: z.string().nullable(),
  inputs: z.array(ShownInput),
  inputsSet: z.array(z.string()).describe('names of inputs that have a value'),
  ready: z.boolean().describe('whether all its required inputs are set'),
  hooks: RecipeHooks,
  licenses: z.object({ valid: z.number(), other: z.number() }).describe('on how many sites it is valid, or not'),
  export: ExportedRecipe.describe('the same to import elsewhere, without any value'),
  createdAt: z.number(),
  updatedAt: z.number(),
})
export type Recipe = z.infer<typeof Recipe>

export const SiteLicense = z.object({
  siteSlug: z.string(),
  recipeId: z.string(),
  recipeName: z.string(),
  pluginSlug: z.string().nullable(),
  installed: z.boolean().describe('whether the site has the plugin, as last read'),
  status: z.enum(LICENSE_STATUSES),
  message: onlyFor('manage', z.string()).describe('what the plugin said, without secrets'),
  appliedAt: z.number().nullable(),
  checkedAt: z.number().nullable(),
  jobId: z.string().nullable().describe('the job that applied or checked it last'),
})
export type SiteLicense = z.infer<typeof SiteLicense>

export const RecipeProblem = z.object({ path: z.string(), message: z.string() })
export type RecipeProblem = z.infer<typeof RecipeProblem>

const params = z.object({ id: Id })

export const recipes = contract({
  recipeList: {
    method: 'GET',
    path: '/api/recipes',
    level: 'read-only',
    sites: 'none',
    summary: 'List recipes by name',
    reply: z.object({ items: z.array(Recipe) }),
  },
  recipeSteps: {
    method: 'GET',
    path: '/api/recipes/steps',
    level: 'read-only',
    sites: 'none',
    summary: 'List the kinds of steps, each with its JSON Schema',
    reply: z.object({
      items: z.array(
        z.object({
          kind: z.string(),
          label: z.string(),
          description: z.string(),
          hooks: z.array(z.string()).describe('where it may stand'),
          schema: z.record(z.string(), z.unknown()),
        }),
      ),
    }),
  },
  recipeGet: {
    method: 'GET',
    path: '/api/recipes/:id',
    level: 'read-only',
    sites: 'none',
    summary: 'Show a recipe, never the values of its secrets',
    params,
    reply: Recipe,
  },
  recipeSites: {
    method: 'GET',
    path: '/api/recipes/:id/sites',
    level: 'read-only',
    sites: 'kept',
    summary: 'Show how a recipe stands on every site that has its plugin or got it before',
    params,
    reply: z.object({ items: z.array(SiteLicense) }),
  },
  recipeCreate: {
    method: 'POST',
    path: '/api/recipes',
    level: 'full',
    summary: 'Create a recipe',
    status: 201,
    maxBodyBytes: 8 * MIB,
    body: RecipeBody,
    reply: Recipe,
  },
  recipeValidate: {
    method: 'POST',
    path: '/api/recipes/validate',
    level: 'full',
    summary: 'Check a recipe without saving it',
    maxBodyBytes: 8 * MIB,
    body: RecipeBody,
    reply: z.object({ ok: z.boolean(), problems: z.array(RecipeProblem) }),
  },
  recipeImport: {
    method: 'POST',
    path: '/api/recipes/import',
    level: 'full',
    summary: 'Create a recipe from an exported one; its plugin is found by its folder',
    status: 201,
    maxBodyBytes: 8 * MIB,
    body: ExportedRecipe,
    reply: Recipe,
  },
  recipeUpdate: {
    method: 'PUT',
    path: '/api/recipes/:id',
    level: 'full',
    summary: 'Replace a recipe. Values of inputs stay, as long as the input stays as it was',
    maxBodyBytes: 8 * MIB,
    params,
    body: RecipeBody,
    reply: Recipe,
  },
  recipeInputs: {
    method: 'PUT',
    path: '/api/recipes/:id/inputs',
    level: 'full',
    mcp: 'no',
    summary: 'Set values of inputs; null removes one. They are stored encrypted',
    params,
    body: z.strictObject({
      values: z
        .record(InputName, z.union([z.string().max(2000), z.number(), z.boolean(), z.null()]))
        .describe('value by name of the input'),
    }),
    reply: z.object({ inputsSet: z.array(z.string()) }),
  },
  recipeDelete: {
    method: 'DELETE',
    path: '/api/recipes/:id',
    level: 'full',
    summary: 'Delete a recipe with its values. Sites stay as they are',
    destructive: true,
    params,
    reply: z.object({ ok: z.boolean() }),
  },
})

export type { RecipeInput } from './steps/contract.ts'
