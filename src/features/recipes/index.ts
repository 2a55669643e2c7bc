export { listSiteLicenses } from './licenses.ts'
export { startRecipes } from './start-recipes.ts'
