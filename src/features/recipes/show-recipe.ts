import { listPlugins } from '#features/catalog/index.ts'
import type { Scope } from '#platform/scope.ts'
import { FORMAT, FORMAT_VERSION, type Recipe } from './contract.ts'
import { listLicenses } from './license-store.ts'
import { hooksOf, inputsOf, listValues, type RecipeRow } from './recipe-store.ts'
import { missingInputs, openShownValues } from './values.ts'

export const showRecipes = async (scope: Scope, rows: readonly RecipeRow[]): Promise<Recipe[]> => {
  const plugins = new Map((await listPlugins(scope.db)).map(plugin => [plugin.id, plugin]))
  const values = Map.groupBy(await listValues(scope.db), ({ recipe_id }) => recipe_id)
  const licenses = Map.groupBy(await listLicenses(scope.db), ({ recipe_id }) => recipe_id)
  return rows.map(row => {
    const own = licenses.get(row.id) ?? []
    const valid = own.filter(({ status }) => status === 'valid').length
    const plugin = plugins.get(row.plugin_id ?? '')
    const sealed = new Map((values.get(row.id) ?? []).map(({ name, sealed_value }) => [name, sealed_value]))
    return {
      ...show(scope, row, sealed),
      pluginName: plugin?.name ?? null,
      pluginSlug: plugin?.slug ?? null,
      licenses: { valid, other: own.length - valid },
      export: exportOf(row, plugin?.slug ?? null),
    }
  })
}

export const showRecipe = async (scope: Scope, row: RecipeRow): Promise<Recipe> => {
  const [shown] = await showRecipes(scope, [row])
  if (!shown) throw new Error('a recipe that is there was not shown')
  return shown
}

const exportOf = (row: RecipeRow, plugin: string | null): Recipe['export'] => ({
  format: FORMAT,
  version: FORMAT_VERSION,
  name: row.name,
  description: row.description,
  plugin,
  inputs: inputsOf(row),
  hooks: hooksOf(row),
})

const show = (scope: Scope, row: RecipeRow, sealed: ReadonlyMap<string, string>) => {
  const inputs = inputsOf(row)
  const shown = openShownValues(scope, row, sealed)
  const set = new Set(sealed.keys())
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    pluginId: row.plugin_id,
    inputs: inputs.map(input => ({ ...input, isSet: set.has(input.name), value: shown.get(input.name) ?? null })),
    inputsSet: [...set],
    ready: missingInputs(inputs, set).length === 0,
    hooks: hooksOf(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
