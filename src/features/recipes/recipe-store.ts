import { Problem } from '#platform/contract/problem.ts'
import type { Db } from '#platform/db/database.ts'
import type { RecipeHooks, RecipeInput } from './steps/contract.ts'
import type { RecipeTable, RecipeValueTable } from './tables.ts'

export type RecipeRow = RecipeTable

export const inputsOf = ({ inputs }: RecipeRow): RecipeInput[] => JSON.parse(inputs) as RecipeInput[]
export const hooksOf = ({ hooks }: RecipeRow): RecipeHooks => JSON.parse(hooks) as RecipeHooks

export const listRecipes = (db: Db): Promise<RecipeRow[]> =>
  db.selectFrom('recipe').selectAll().orderBy('name').orderBy('id').execute()

export const findRecipe = (db: Db, id: string): Promise<RecipeRow | undefined> =>
  db.selectFrom('recipe').selectAll().where('id', '=', id).executeTakeFirst()

export const getRecipe = async (db: Db, id: string): Promise<RecipeRow> => {
  const found = await findRecipe(db, id)
  if (!found) throw new Problem('not_found', 'There is no such recipe. List the recipes to see what is there.')
  return found
}

export const insertRecipe = async (db: Db, row: RecipeRow): Promise<void> => {
  await db.insertInto('recipe').values(row).execute()
}

export const changeRecipe = async (db: Db, id: string, changes: Partial<RecipeRow>): Promise<void> => {
  await db.updateTable('recipe').set(changes).where('id', '=', id).execute()
}

/** With its values and what is known of sites. */
export const deleteRecipe = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('recipe').where('id', '=', id).execute()
}

/** Its recipes stay, for no plugin. */
export const forgetPlugin = async (db: Db, pluginId: string): Promise<void> => {
  await db.updateTable('recipe').set({ plugin_id: null }).where('plugin_id', '=', pluginId).execute()
}

export const listValues = (db: Db, recipeId?: string): Promise<RecipeValueTable[]> =>
  db
    .selectFrom('recipe_value')
    .selectAll()
    .$if(recipeId !== undefined, query => query.where('recipe_id', '=', recipeId ?? ''))
    .orderBy('name')
    .execute()

export const keepValue = async (db: Db, row: RecipeValueTable): Promise<void> => {
  await db
    .insertInto('recipe_value')
    .values(row)
    .onConflict(conflict => conflict.columns(['recipe_id', 'name']).doUpdateSet({ sealed_value: row.sealed_value }))
    .execute()
}

export const deleteValue = async (db: Db, recipeId: string, name: string): Promise<void> => {
  await db.deleteFrom('recipe_value').where('recipe_id', '=', recipeId).where('name', '=', name).execute()
}
